import { Entity, PrimaryColumn, Column, Index } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'document_labels_pkey' };

/** A metadata value of a document. Triggers on `documents` write these rows. */
@Entity('document_labels')
export class DocumentLabelEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId: string;

  /** True if the document is in the trash. */
  @PrimaryColumn('boolean', { ...KEY })
  deleted: boolean;

  /** Path and value, or their hash if they are long. */
  @PrimaryColumn('text', { collation: 'C', ...KEY })
  label: string;

  @PrimaryColumn('timestamptz', { name: 'created_at', precision: 3, ...KEY })
  createdAt: Date;

  @PrimaryColumn('uuid', { name: 'document_id', ...KEY })
  documentId: string;
}

/** The indexed words of a document, in a separate table so that indexing never updates the document's row. */
@Entity('document_texts')
@Index('document_texts_vector_idx', { synchronize: false })
@Index('document_texts_title_only_idx', { synchronize: false })
export class DocumentTextEntity {
  @PrimaryColumn('uuid', { name: 'document_id', primaryKeyConstraintName: 'document_texts_pkey' })
  documentId: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'integer', name: 'chunk_id' })
  chunkId: number;

  /** Text search configuration, which selects the stemmer. */
  @Column('text')
  configuration: string;

  /** True if the content could not be indexed in time. */
  @Column({ type: 'boolean', name: 'title_only' })
  titleOnly: boolean;

  @Column('tsvector')
  vector: string;
}

/**
 * The indexed words of a published text that differ from those of its document. A row without a chunk hides the words of
 * the document until the worker has compared both texts.
 */
@Entity('publication_texts')
@Index('publication_texts_vector_idx', { synchronize: false })
@Index('publication_texts_account_id_idx', ['accountId'])
export class PublicationTextEntity {
  @PrimaryColumn('uuid', {
    name: 'document_id',
    primaryKeyConstraintName: 'publication_texts_pkey',
  })
  documentId: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'integer', name: 'chunk_id', nullable: true })
  chunkId: number | null;

  @Column('text')
  configuration: string;

  @Column({ type: 'boolean', name: 'title_only' })
  titleOnly: boolean;

  @Column('tsvector')
  vector: string;

  /** The publication whose words these are. */
  @Column('integer')
  number: number;
}

/** A document that changed since it was indexed. Triggers on `documents` write these rows. */
@Entity('search_changes')
export class SearchChangeEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'search_changes_pkey' })
  accountId: string;

  @PrimaryColumn('bigint', {
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'search_changes_pkey',
  })
  id: string;

  @Column({ type: 'uuid', name: 'document_id' })
  documentId: string;

  @Column({ type: 'timestamptz', name: 'noted_at', precision: 3, default: () => 'now()' })
  notedAt: Date;
}

/** Up to 8,192 consecutively created documents of an account. */
@Entity('search_chunks')
@Index('search_chunks_account_id_idx', ['accountId', 'id'])
export class SearchChunkEntity {
  @PrimaryColumn('integer', {
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'search_chunks_pkey',
  })
  id: number;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column('integer')
  documents: number;

  /** Text search configurations of its documents. */
  @Column('text', { array: true })
  configurations: string[];
}
