import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The words of a document, beside it, so that indexing never touches the document's row. */
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

  /** Of PostgreSQL's text search: the stemmer. */
  @Column('text')
  configuration: string;

  /** Whether the content could not be indexed in time. */
  @Column({ type: 'boolean', name: 'title_only' })
  titleOnly: boolean;

  @Column('tsvector')
  vector: string;
}
