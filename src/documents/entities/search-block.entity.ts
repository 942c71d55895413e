import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Up to 8,192 documents of an account that were created one after the other; it ends where the next one begins. The
 * bits stand for positions.
 */
@Entity('search_blocks')
@Index('search_blocks_account_id_key', ['accountId', 'firstCreatedAt', 'firstId'], { unique: true })
export class SearchBlockEntity {
  @PrimaryColumn('integer', {
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'search_blocks_pkey',
  })
  id: number;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'first_created_at', precision: 3 })
  firstCreatedAt: Date;

  @Column({ type: 'uuid', name: 'first_id' })
  firstId: string;

  /** No document of the block was changed before. */
  @Column({ type: 'timestamptz', name: 'first_updated_at', precision: 3 })
  firstUpdatedAt: Date;

  /** Nor after. */
  @Column({ type: 'timestamptz', name: 'last_updated_at', precision: 3 })
  lastUpdatedAt: Date;

  /** Positions that were given away since the terms of the block were last cleared. */
  @Column('bit varying')
  used: string;

  @Column('bit varying')
  live: string;

  /** In the trash. */
  @Column('bit varying')
  deleted: string;
}
