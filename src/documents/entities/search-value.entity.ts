import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'search_values_pkey' };

/** Documents of a block with a value that facets count: their positions while they are few, else bits. */
@Entity('search_values')
@Index('search_values_block_id_idx', ['blockId'])
@Check('search_values_one_form_check', '("places" IS NULL) <> ("bits" IS NULL)')
export class SearchValueEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId: string;

  /** Field and value. */
  @PrimaryColumn('text', { collation: 'C', ...KEY })
  term: string;

  @PrimaryColumn('integer', { name: 'block_id', ...KEY })
  blockId: number;

  @Column({ type: 'integer', array: true, nullable: true })
  places: number[] | null;

  @Column('bit varying', { nullable: true })
  bits: string | null;
}
