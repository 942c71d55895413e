import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Totals of a minute. */
@Entity('usage_minutes')
@Index('usage_minutes_at_idx', ['at'])
export class UsageMinuteEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'usage_minutes_pkey' })
  accountId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_minutes_pkey' })
  metric: string;

  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'usage_minutes_pkey',
  })
  at: Date;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_minutes_pkey' })
  route: string;

  @PrimaryColumn('uuid', { name: 'source_id', primaryKeyConstraintName: 'usage_minutes_pkey' })
  sourceId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_minutes_pkey' })
  outcome: string;

  /** TypeORM returns bigints as text. */
  @Column('bigint')
  count: string;

  @Column('bigint', { array: true })
  latency: string[];
}

/** Totals of an hour. */
@Entity('usage_hours')
@Index('usage_hours_at_idx', ['at'])
export class UsageHourEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'usage_hours_pkey' })
  accountId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_hours_pkey' })
  metric: string;

  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'usage_hours_pkey',
  })
  at: Date;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_hours_pkey' })
  route: string;

  @PrimaryColumn('uuid', { name: 'source_id', primaryKeyConstraintName: 'usage_hours_pkey' })
  sourceId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_hours_pkey' })
  outcome: string;

  @Column('bigint')
  count: string;

  @Column('bigint', { array: true })
  latency: string[];
}

/** A process that writes totals, and the number of its last batch. */
@Entity('usage_writers')
export class UsageWriterEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'usage_writers_pkey' })
  id: string;

  @Column('bigint')
  batch: string;

  @Column({ type: 'timestamptz', name: 'written_at', precision: 3 })
  writtenAt: Date;
}
