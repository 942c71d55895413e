import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An order of a large account's documents, cut into parts; a new one is made before it takes the place of the old. */
@Entity('search_orders')
@Index('search_orders_account_id_key', ['accountId', 'sort', 'isComplete'], { unique: true })
export class SearchOrderEntity {
  @PrimaryColumn('integer', {
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'search_orders_pkey',
  })
  id: number;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  sort: string;

  @Column('boolean', { name: 'is_complete' })
  isComplete: boolean;

  /** Documents that came into its slices. */
  @Column('integer')
  sliced: number;

  /** So many of them make it be made anew. */
  @Column('integer', { name: 'most_sliced' })
  mostSliced: number;
}
