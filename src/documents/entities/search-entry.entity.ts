import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Where a document is in the search index. */
@Entity('search_entries')
@Index('search_entries_position_key', ['blockId', 'position'], { unique: true })
@Index('search_entries_created_at_idx', { synchronize: false })
export class SearchEntryEntity {
  @PrimaryColumn('uuid', {
    name: 'document_id',
    primaryKeyConstraintName: 'search_entries_pkey',
  })
  documentId: string;

  @Column({ type: 'integer', name: 'block_id' })
  blockId: number;

  @Column('smallint')
  position: number;

  @Column('boolean')
  deleted: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** What it counts for: `facet/term`. */
  @Column({ type: 'text', array: true })
  facets: string[];
}
