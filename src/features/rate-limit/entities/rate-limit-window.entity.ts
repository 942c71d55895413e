import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The three running windows of an account or a person, which only the SQL function `take_rate_limit` reads and writes. A
 * start of `-infinity` is a window that never began.
 */
@Entity('rate_limit_windows')
export class RateLimitWindowEntity {
  @PrimaryColumn('uuid', {
    name: 'account_id',
    primaryKeyConstraintName: 'rate_limit_windows_pkey',
  })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'minute_started_at', precision: 3 })
  minuteStartedAt: Date;

  @Column({ type: 'bigint', name: 'minute_count' })
  minuteCount: string;

  @Column({ type: 'timestamptz', name: 'hour_started_at', precision: 3 })
  hourStartedAt: Date;

  @Column({ type: 'bigint', name: 'hour_count' })
  hourCount: string;

  @Column({ type: 'timestamptz', name: 'day_started_at', precision: 3 })
  dayStartedAt: Date;

  @Column({ type: 'bigint', name: 'day_count' })
  dayCount: string;
}
