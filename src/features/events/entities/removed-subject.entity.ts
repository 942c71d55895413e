import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document that was removed for good while texts of it still stand in its events. */
@Entity('removed_subjects')
export class RemovedSubjectEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'removed_subjects_pkey' })
  id: string;

  /** The last position that an event of it can have; an import may make a document with the same id again. */
  @Column('bigint')
  position: string;

  /** Up to which position the texts are gone. */
  @Column({ type: 'bigint', name: 'erased_to', default: 0 })
  erasedTo: string;
}
