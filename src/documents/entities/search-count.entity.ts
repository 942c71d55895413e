import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How many documents of an account that are in the search index have a value that facets count. */
@Entity('search_counts')
@Index('search_counts_documents_idx', { synchronize: false })
export class SearchCountEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'search_counts_pkey' })
  accountId: string;

  /** Those in the trash, or the others. */
  @PrimaryColumn('boolean', { primaryKeyConstraintName: 'search_counts_pkey' })
  deleted: boolean;

  @Column('text')
  facet: string;

  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'search_counts_pkey' })
  term: string;

  @Column('integer')
  documents: number;
}
