import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Documents of a block with a term, while they are few. */
@Entity('search_postings')
export class SearchPostingEntity {
  @PrimaryColumn('integer', {
    name: 'block_id',
    primaryKeyConstraintName: 'search_postings_pkey',
  })
  blockId: number;

  /** The stem of a word with its language, a character or pair of a script without spaces, or a value of a field. */
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'search_postings_pkey' })
  term: string;

  /** Positions, with what ranks the document added as higher bits. */
  @Column({ type: 'integer', array: true })
  places: number[];
}
