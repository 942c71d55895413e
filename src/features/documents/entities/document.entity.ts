import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Document } from '../document-fields.js';
import type { DocumentStatus } from '../document-status.js';
import type { DocumentType } from '../../content/document-type.js';
import type { VersionOrigin } from '../versions/version-origin.js';

/**
 * A document. Accounts and users are never removed while documents point at them, so there are no foreign keys here:
 * each would lock the account's row at every insert (docs/adr/0009-persistence-and-transactions.md).
 */
@Entity('documents')
@Index('documents_created_at_idx', { synchronize: false })
@Index('documents_updated_at_idx', { synchronize: false })
@Index('documents_title_idx', { synchronize: false })
@Index('documents_word_count_idx', { synchronize: false })
@Index('documents_deleted_at_idx', { synchronize: false })
@Index('documents_type_idx', { synchronize: false })
@Index('documents_status_idx', { synchronize: false })
@Index('documents_created_by_idx', { synchronize: false })
@Index('documents_template_id_idx', { synchronize: false })
@Index('documents_external_id_idx', { synchronize: false })
@Index('documents_deleted_created_at_idx', { synchronize: false })
@Index('documents_deleted_id_idx', { synchronize: false })
@Index('documents_deleted_updated_at_idx', { synchronize: false })
@Index('documents_deleted_title_idx', { synchronize: false })
@Index('documents_deleted_word_count_idx', { synchronize: false })
@Check(
  'documents_type_check',
  `"type" IN ('document', 'report', 'article', 'research', 'technical')`,
)
@Check('documents_status_check', `"status" IN ('draft', 'in_review', 'published', 'archived')`)
export class DocumentEntity implements Record<keyof Document, unknown> {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'documents_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Compared by code point, so that the order is the same on every machine. */
  @Column({ type: 'text', collation: 'C' })
  title: string;

  @Column('text')
  type: DocumentType;

  @Column('text')
  content: string;

  /** The first 200 characters of the content, so that lists need not read it. */
  @Column('text')
  excerpt: string;

  @Column('text')
  status: DocumentStatus;

  /** `json`, not `jsonb`: kept to the letter, key order and number spelling too. */
  @Column('json')
  metadata: Record<string, unknown>;

  @Column({ type: 'json', name: 'ai_settings' })
  aiSettings: Record<string, unknown>;

  @Column({ type: 'text', name: 'external_id', collation: 'C', nullable: true })
  externalId: string | null;

  @Column({ type: 'uuid', name: 'template_id', nullable: true })
  templateId: string | null;

  @Column({ type: 'integer', name: 'word_count' })
  wordCount: number;

  @Column('integer')
  version: number;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  /** The user who made the current version; null for the creator. */
  @Column({ type: 'uuid', name: 'version_author', nullable: true })
  versionAuthor: string | null;

  /** Names of the fields in which the current version differs from the one before; null for the first. */
  @Column('text', { name: 'version_changes', array: true, nullable: true })
  versionChanges: string[] | null;

  /** What made the current version, where it was not a person's own change: a `VersionOrigin`. */
  @Column({ type: 'json', name: 'version_origin', nullable: true })
  versionOrigin: VersionOrigin | null;

  /** Bytes of deltas kept since the last version whose content was kept whole. */
  @Column({ type: 'integer', name: 'delta_bytes', default: 0 })
  deltaBytes: number;

  /** How many these are. */
  @Column({ type: 'integer', name: 'delta_count', default: 0 })
  deltaCount: number;
}
