import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A document for which something is to be proposed unasked, since its text changed. Written by triggers. Ids are UUIDs. */
@Entity('due_enhancements')
@Index('due_enhancements_changed_at_idx', ['changedAt'])
export class DueEnhancementEntity {
  @ForeignKey('DocumentEntity', { name: 'due_enhancements_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'uuid',
    name: 'document_id',
    primaryKeyConstraintName: 'due_enhancements_pkey',
  })
  documentId: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** By the clock of the process that changed it. */
  @Column({ type: 'timestamptz', name: 'changed_at', precision: 3 })
  changedAt: Date;
}
