import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Documents of a block with a term, where they are many; beside those in `search_postings`. */
@Entity('search_bitmaps')
export class SearchBitmapEntity {
  @PrimaryColumn('integer', { name: 'block_id', primaryKeyConstraintName: 'search_bitmaps_pkey' })
  blockId: number;

  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'search_bitmaps_pkey' })
  term: string;

  @Column('bit varying')
  bits: string;

  /** In whose title the term is. */
  @Column({ type: 'bit varying', name: 'in_title', nullable: true })
  inTitle: string | null;

  /** Low and high bit of how often: 0 once, 1 from twice on, 2 from four times on, 3 from eight times on. */
  @Column('bit varying', { nullable: true })
  low: string | null;

  @Column('bit varying', { nullable: true })
  high: string | null;
}
