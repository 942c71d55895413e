import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { DocumentEntity } from '../../model/document.entity.js';

/** A document as it was published. Moves, external IDs and the trash follow the document by trigger. */
@Entity('publications')
@Index('publications_created_at_idx', { synchronize: false })
@Index('publications_updated_at_idx', { synchronize: false })
@Index('publications_first_published_at_idx', { synchronize: false })
@Index('publications_title_idx', { synchronize: false })
@Index('publications_word_count_idx', { synchronize: false })
@Index('publications_type_idx', { synchronize: false })
@Index('publications_collection_id_idx', { synchronize: false })
@Index('publications_external_id_idx', { synchronize: false })
export class PublicationEntity {
  /** The ID of the document. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'publications_pkey' })
  id: string;

  @OneToOne(() => DocumentEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id', foreignKeyConstraintName: 'publications_id_fkey' })
  document: Relation<DocumentEntity>;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ type: 'text', collation: 'C' })
  title: string;

  @Column('text')
  type: string;

  @Column('text')
  content: string;

  @Column('text')
  excerpt: string;

  @Column('text')
  status: string;

  @Column('json')
  metadata: Record<string, unknown>;

  @Column({ type: 'json', name: 'ai_settings' })
  aiSettings: Record<string, unknown>;

  @Column({ type: 'uuid', name: 'template_id', nullable: true })
  templateId: string | null;

  @Column({ type: 'integer', name: 'word_count' })
  wordCount: number;

  @Column('integer')
  version: number;

  @Column({ type: 'uuid', name: 'version_author', nullable: true })
  versionAuthor: string | null;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'text', name: 'external_id', collation: 'C', nullable: true })
  externalId: string | null;

  @Column({ type: 'uuid', name: 'collection_id' })
  collectionId: string;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  /** Counts the publications of the document, because versions fall after a rollback. */
  @Column('integer')
  number: number;

  @Column({ type: 'timestamptz', name: 'published_at', precision: 3 })
  publishedAt: Date;

  @Column({ type: 'timestamptz', name: 'first_published_at', precision: 3 })
  firstPublishedAt: Date;
}

const HISTORY_KEY = { primaryKeyConstraintName: 'publication_history_pkey' };

/** What readers saw, and when. */
@Entity('publication_history')
@Index('publication_history_account_id_idx', ['accountId'])
export class PublicationHistoryEntity {
  @PrimaryColumn('uuid', { name: 'document_id', ...HISTORY_KEY })
  documentId: string;

  @ManyToOne(() => DocumentEntity, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'document_id',
    foreignKeyConstraintName: 'publication_history_document_id_fkey',
  })
  document: Relation<DocumentEntity>;

  @PrimaryColumn('integer', HISTORY_KEY)
  number: number;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column('integer')
  version: number;

  @Column({ type: 'timestamptz', name: 'published_at', precision: 3 })
  publishedAt: Date;

  /** Null if the service published it when publishing was turned on. */
  @Column({ type: 'uuid', name: 'published_by', nullable: true })
  publishedBy: string | null;

  /** Null if readers still see it. */
  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;

  /** True if it was published despite its problems. */
  @Column({ type: 'boolean', default: false })
  overridden: boolean;
}
