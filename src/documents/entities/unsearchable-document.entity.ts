import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A document whose words could not be put into the search index in time: set aside until it changes, so that others get
 * their turn (docs/adr/0022-search-and-filters.md).
 */
@Entity('unsearchable_documents')
export class UnsearchableDocumentEntity {
  @PrimaryColumn('uuid', {
    name: 'document_id',
    primaryKeyConstraintName: 'unsearchable_documents_pkey',
  })
  documentId: string;

  @Index('unsearchable_documents_account_id_idx')
  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ type: 'text' })
  reason: string;

  @Column({ type: 'timestamptz', name: 'set_aside_at', precision: 3, default: () => 'now()' })
  setAsideAt: Date;
}
