import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document whose text changed since it was indexed; triggers on documents write these. */
@Entity('search_changes')
export class SearchChangeEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'search_changes_pkey' })
  accountId: string;

  @PrimaryColumn('bigint', {
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'search_changes_pkey',
  })
  id: string;

  @Column({ type: 'uuid', name: 'document_id' })
  documentId: string;

  @Column({ type: 'timestamptz', name: 'noted_at', precision: 3, default: () => 'now()' })
  notedAt: Date;
}
