import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const SLICE = { primaryKeyConstraintName: 'search_slices_pkey' };

/** Documents of a block whose part has a digit; of the digit behind the last, those that the slices know. */
@Entity('search_slices')
@Index('search_slices_block_id_idx', ['blockId'])
export class SearchSliceEntity {
  @PrimaryColumn('integer', { name: 'order_id', ...SLICE })
  orderId: number;

  @PrimaryColumn('smallint', { ...SLICE })
  digit: number;

  @PrimaryColumn('integer', { name: 'block_id', ...SLICE })
  blockId: number;

  @Column('bit varying')
  bits: string;
}
