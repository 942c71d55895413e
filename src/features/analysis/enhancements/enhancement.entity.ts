import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import type {
  EnhancementNotes,
  EnhancementSettings,
  StoredEnhancementStatus,
  Suggestion,
  SuggestionCounts,
} from './enhancement.js';

/** Changes that are proposed for a document, and what became of them. Ids are UUIDs. */
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

  /** What it was made from. */
  @Column({ type: 'integer', name: 'base_version' })
  baseVersion: number;

  /** The ranges of its suggestions are in the content of this version. */
  @Column({ type: 'integer', name: 'text_version' })
  textVersion: number;

  @Column({ type: 'text', default: 'pending' })
  status: StoredEnhancementStatus;

  /** That makes it: what has failed is told there. */
  @Column({ type: 'uuid', name: 'job_id' })
  jobId: string;

  /** Whether nobody asked for it: `aiSettings.autoEnhance`. */
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
