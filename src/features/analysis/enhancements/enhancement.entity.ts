import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import type {
  EnhancementNotes,
  EnhancementSettings,
  FieldChange,
  StoredEnhancementStatus,
  Suggestion,
  SuggestionCounts,
} from './enhancement.js';

/** Proposed changes to a document, and their review state. Ids are UUIDs. */
@Entity('enhancements')
@Index('enhancements_document_id_created_at_idx', ['documentId', 'createdAt', 'id'])
@Index('enhancements_open_proposals_idx', { synchronize: false })
@Index('enhancements_decided_proposals_idx', { synchronize: false })
@Check(
  'enhancements_status_check',
  `"status" IN ('pending', 'proposed', 'applied', 'partially_applied', 'rejected', 'stale')`,
)
export class EnhancementEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'enhancements_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ForeignKey('DocumentEntity', {
    name: 'enhancements_document_id_fkey',
    onDelete: 'CASCADE',
  })
  @Column({ type: 'uuid', name: 'document_id' })
  documentId: string;

  /** The version that was enhanced. */
  @Column({ type: 'integer', name: 'base_version' })
  baseVersion: number;

  /** The version that the suggestions' ranges refer to. */
  @Column({ type: 'integer', name: 'text_version' })
  textVersion: number;

  @Column({ type: 'text', default: 'pending' })
  status: StoredEnhancementStatus;

  /**
   * The job that creates it. If the job fails, its error is the enhancement's error. Proposals have no job; theirs is the id
   * of the row.
   */
  @Column({ type: 'uuid', name: 'job_id' })
  jobId: string;

  /** True if `aiSettings.autoEnhance` created it. */
  @Column('boolean')
  automatic: boolean;

  @Column('json')
  goals: string[];

  @Column({ type: 'text', nullable: true })
  instructions: string | null;

  @Column('json')
  settings: EnhancementSettings;

  @Column('json')
  suggestions: Suggestion[];

  @Column('json')
  counts: SuggestionCounts;

  @Column('json')
  notes: EnhancementNotes;

  @Column('json')
  engine: EngineVersion;

  /** True if a person or a program sent the changes. */
  @Column({ type: 'boolean', name: 'is_proposal', default: false })
  isProposal: boolean;

  /** True for a proposal with an open suggestion or field change. */
  @Column({ type: 'boolean', name: 'is_open_proposal', default: false })
  isOpenProposal: boolean;

  /** The key that sent the proposal; null for a signed-in person. */
  @Column({ type: 'uuid', name: 'key_id', nullable: true })
  keyId: string | null;

  /** What the sender of a proposal says about it. */
  @Column({ type: 'text', nullable: true })
  message: string | null;

  @Column({ type: 'json', name: 'field_changes', default: [] })
  fieldChanges: FieldChange[];

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

/** A changed document that is due for automatic enhancement. Triggers insert the rows. Ids are UUIDs. */
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

  /** Read from the clock of the process that changed it. */
  @Column({ type: 'timestamptz', name: 'changed_at', precision: 3 })
  changedAt: Date;
}
