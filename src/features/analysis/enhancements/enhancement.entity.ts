import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import type {
  EnhancementNotes,
  EnhancementSettings,
  StoredEnhancementStatus,
  Suggestion,
  SuggestionCounts,
} from './enhancement.js';

/** Proposed changes to a document, and their review state. Ids are UUIDs. */
@Entity('enhancements')
@Index('enhancements_document_id_created_at_idx', ['documentId', 'createdAt', 'id'])
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

  /** The job that creates it. If the job fails, its error is the enhancement's error. */
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
