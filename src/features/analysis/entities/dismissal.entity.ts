import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A finding that somebody does not want to see again, in this sentence of this document, wherever it moves. Ids are UUIDs. */
@Entity('dismissals')
@Index('dismissals_document_id_fingerprint_idx', ['documentId', 'fingerprint'], { unique: true })
@Index('dismissals_document_id_created_at_idx', ['documentId', 'createdAt', 'id'])
export class DismissalEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'dismissals_pkey' })
  id: string;

  @ForeignKey('DocumentEntity', { name: 'dismissals_document_id_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'document_id' })
  documentId: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Hash of rule, passage and sentence: the id of the issue. */
  @Column('text')
  fingerprint: string;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
