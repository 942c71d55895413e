import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many changes of an account's documents have come into its search index (docs/adr/0034-remembered-facets.md). */
@Entity('search_progress')
export class SearchProgressEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'search_progress_pkey' })
  accountId: string;

  /** Of this count; another one begins with another. */
  @Column('uuid')
  epoch: string;

  @Column('bigint')
  changes: string;

  /** When the newest of them was noted. */
  @Column({ type: 'timestamptz', precision: 3 })
  newest: Date;
}
