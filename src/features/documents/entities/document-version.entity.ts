import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { VersionedField } from '../document-fields.js';
import type { DocumentStatus } from '../document-status.js';
import type { DocumentType } from '../../content/document-type.js';
import type { VersionOrigin } from '../versions/version-origin.js';

/**
 * A version that a later one has replaced; the current one is the document itself. Its content is kept whole, or as a
 * delta that makes it from the content of the next version (docs/adr/0014-versions-as-reverse-deltas.md).
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

  /** Null when it is that of the next version. */
  @Column('json', { nullable: true })
  metadata: Record<string, unknown> | null;

  /** Null when they are those of the next version. */
  @Column({ type: 'json', name: 'ai_settings', nullable: true })
  aiSettings: Record<string, unknown> | null;

  @Column({ type: 'text', name: 'external_id', nullable: true })
  externalId: string | null;

  @Column({ type: 'integer', name: 'word_count' })
  wordCount: number;

  /** The user who made this version. */
  @Column('uuid')
  author: string;

  /** Names of the fields in which it differs from the version before. */
  @Column('text', { array: true })
  changes: string[];

  /** What made it, where it was not a person's own change. */
  @Column({ type: 'json', nullable: true })
  origin: VersionOrigin | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
