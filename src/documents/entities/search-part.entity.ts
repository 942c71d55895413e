import { Column, Entity, PrimaryColumn } from 'typeorm';

const PART = { primaryKeyConstraintName: 'search_parts_pkey' };

/** Where a part of an order begins. */
@Entity('search_parts')
export class SearchPartEntity {
  @PrimaryColumn('integer', { name: 'order_id', ...PART })
  orderId: number;

  @PrimaryColumn('text', { name: 'first_key', collation: 'C', ...PART })
  firstKey: string;

  @Column('smallint')
  part: number;
}
