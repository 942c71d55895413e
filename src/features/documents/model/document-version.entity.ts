import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { VersionedField, VersionOrigin, DocumentStatus } from './document-fields.js';
import type { DocumentType } from '../../content/document-type.js';

/**
 * An older version; the current version is in `documents`. Its content is stored in full, or as a delta from the content of
 * the next version (docs/adr/0014-versions-as-reverse-deltas.md).
 */
@Entity('document_versions')
@Check('document_versions_content_check', '(content IS NULL) <> (content_delta IS NULL)')
export class DocumentVersionEntity implements Record<VersionedField, unknown> {
  @PrimaryColumn('uuid', {
    name: 'document_id',
    primaryKeyConstraintName: 'document_versions_pkey',
  })
  documentId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'document_versions_pkey' })
  number: number;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column('text')
  title: string;

  @Column('text')
  type: DocumentType;

  @Column('text', { nullable: true })
  content: string | null;

  @Column({ type: 'json', name: 'content_delta', nullable: true })
  contentDelta: unknown;

  @Column('text')
  status: DocumentStatus;

  /** Null if equal to the next version's. */
  @Column('json', { nullable: true })
  metadata: Record<string, unknown> | null;

  /** Null if equal to the next version's. */
  @Column({ type: 'json', name: 'ai_settings', nullable: true })
  aiSettings: Record<string, unknown> | null;

  @Column({ type: 'text', name: 'external_id', nullable: true })
  externalId: string | null;

  @Column({ type: 'integer', name: 'word_count' })
  wordCount: number;

  /** The user who created this version. */
  @Column('uuid')
  author: string;

  /** Names of the fields that differ from the previous version. */
  @Column('text', { array: true })
  changes: string[];

  /** Null if a person made the change directly. */
  @Column({ type: 'json', nullable: true })
  origin: VersionOrigin | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
