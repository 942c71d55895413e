import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AnalysisResult, KeptParagraph } from '@document-service/text-analysis/analysis';

/** The analysis of one version of a document. Ids are UUIDs. */
@Entity('analyses')
@Index('analyses_document_id_version_idx', ['documentId', 'documentVersion', 'settingsHash'], {
  unique: true,
})
@Index('analyses_document_id_created_at_idx', ['documentId', 'createdAt', 'id'])
export class AnalysisEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'analyses_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ForeignKey('DocumentEntity', { name: 'analyses_document_id_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'document_id' })
  documentId: string;

  @Column({ type: 'integer', name: 'document_version' })
  documentVersion: number;

  /** Hash of all inputs of the analysis except the text. */
  @Column({ type: 'text', name: 'settings_hash' })
  settingsHash: string;

  /** Null if there is nothing to score. */
  @Column({ type: 'real', nullable: true })
  overall: number | null;

  @Column('json')
  result: AnalysisResult;

  /** Findings that the next analysis can reuse. Null except in the newest analysis of a document. */
  @Column('json', { nullable: true })
  paragraphs: KeptParagraph[] | null;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** A finding that a user dismissed for one sentence of a document. It follows the sentence. Ids are UUIDs. */
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

  /** Id of the issue: a hash of rule, passage and sentence. */
  @Column('text')
  fingerprint: string;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
