import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Document, VersionOrigin, DocumentStatus } from './document-fields.js';
import { ROOT } from '../../auth/access/rights.js';
import type { DocumentType } from '../../content/document-type.js';

/**
 * A document. It has no foreign keys to accounts and users, because each would lock a row there on every insert. Accounts
 * and users with documents are never deleted (docs/adr/0009-persistence-and-transactions.md).
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
@Index('documents_collection_id_idx', { synchronize: false })
@Index('documents_deleted_collection_id_idx', { synchronize: false })
@Index('documents_deleted_created_at_idx', { synchronize: false })
@Index('documents_deleted_id_idx', { synchronize: false })
@Index('documents_deleted_updated_at_idx', { synchronize: false })
@Index('documents_unpublished_changes_idx', { synchronize: false })
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

  /** Sorted by code point, so the order does not depend on the server's locale. */
  @Column({ type: 'text', collation: 'C' })
  title: string;

  @Column('text')
  type: DocumentType;

  @Column('text')
  content: string;

  /** The first 200 characters of the content, for lists. */
  @Column('text')
  excerpt: string;

  @Column('text')
  status: DocumentStatus;

  /** `json` instead of `jsonb`, to preserve key order and number spelling. */
  @Column('json')
  metadata: Record<string, unknown>;

  @Column({ type: 'json', name: 'ai_settings' })
  aiSettings: Record<string, unknown>;

  @Column({ type: 'text', name: 'external_id', collation: 'C', nullable: true })
  externalId: string | null;

  /** The zero UUID at the root. */
  @Column({ type: 'uuid', name: 'collection_id', default: ROOT })
  collectionId: string;

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

  /** The version that readers get. Null if the document is not published. */
  @Column({ type: 'integer', name: 'published_version', nullable: true })
  publishedVersion: number | null;

  /** True if a version after the published one changed more than status, external ID and collection. */
  @Column({ type: 'boolean', name: 'has_unpublished_changes', default: false })
  hasUnpublishedChanges: boolean;

  /** The user who created the current version. Null if this is the document's creator. */
  @Column({ type: 'uuid', name: 'version_author', nullable: true })
  updatedBy: string | null;

  /** Names of the fields that differ from the previous version; null for the first version. */
  @Column('text', { name: 'version_changes', array: true, nullable: true })
  versionChanges: string[] | null;

  /** Null if a person made the change directly. */
  @Column({ type: 'json', name: 'version_origin', nullable: true })
  versionOrigin: VersionOrigin | null;

  /** Bytes of deltas since the last version that is stored in full. */
  @Column({ type: 'integer', name: 'delta_bytes', default: 0 })
  deltaBytes: number;

  /** Number of deltas since the last version that is stored in full. */
  @Column({ type: 'integer', name: 'delta_count', default: 0 })
  deltaCount: number;

  /** UTF-8 bytes of the old versions that came with the document from an archive. They count until it is removed. */
  @Column({ type: 'bigint', name: 'imported_version_bytes', default: 0 })
  importedVersionBytes: string;
}
