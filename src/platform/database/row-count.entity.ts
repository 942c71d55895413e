import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Exact totals without counting: triggers add to one of 16 slots (chosen by the connection, so that concurrent writers
 * of one account seldom wait for each other) and a list adds the slots up. See docs/adr/0010-exact-totals-and-lock-order.md.
 */
@Entity('row_counts')
export class RowCountEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'row_counts_pkey' })
  accountId: string;

  /** What is counted: `documents`, `documents.deleted` (the trash), `events`, `request_log`, and `audit_log.` with each action. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'row_counts_pkey' })
  kind: string;

  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'row_counts_pkey' })
  slot: number;

  @Column('bigint')
  count: string;

  /** UTF-8 bytes of what is counted; only of documents: title, content, metadata and AI settings. */
  @Column('bigint', { default: 0 })
  bytes: string;
}
