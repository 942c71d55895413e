import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'dismissals_pkey' };

/** A finding that somebody does not want to see again, in this sentence of this document, wherever it moves. */
@Entity('dismissals')
export class DismissalEntity {
  @ForeignKey('DocumentEntity', { name: 'dismissals_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'document_id', ...KEY })
  documentId: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Hash of rule, passage and sentence: the id of the issue. */
  @PrimaryColumn({ type: 'text', ...KEY })
  fingerprint: string;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
