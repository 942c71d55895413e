import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Exact totals without counting. Triggers add to one of 16 slots, and a list adds up the slots. Triggers count the rows of
 * every writer, and counting in each statement instead is no cheaper (×1.03). The connection determines
 * the slot, so concurrent writers of an account rarely wait for each other. See
 * docs/adr/0010-exact-totals-and-lock-order.md.
 */
@Entity('row_counts')
export class RowCountEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'row_counts_pkey' })
  accountId: string;

  /**
   * What is counted: `documents`, `documents.deleted` (the trash), `events`, `request_log`, or `audit_log.` followed by
   * an action.
   */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'row_counts_pkey' })
  kind: string;

  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'row_counts_pkey' })
  slot: number;

  @Column('bigint')
  count: string;

  /** UTF-8 bytes of title, content, metadata and AI settings; 0 for anything but documents. */
  @Column('bigint', { default: 0 })
  bytes: string;
}

export const DATABASE_TABLES = [RowCountEntity];
