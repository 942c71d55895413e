import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The latest time that workers have seen, in one row; only `src/platform/background/database-clock.ts` reads and writes it. The
 * other columns say how far it is in moving what was planned before the clock went back (docs/adr/0012-outages-time-limits-and-clocks.md).
 */
@Entity('database_clock')
export class DatabaseClockEntity {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'database_clock_pkey' })
  id: boolean;

  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3 })
  seenAt: Date;

  @Column({ type: 'interval', nullable: true })
  step: unknown;

  @Column({ type: 'uuid', name: 'moved_webhook_id', nullable: true })
  movedWebhookId: string | null;

  @Column({
    type: 'timestamptz',
    name: 'moved_next_attempt_at',
    precision: 3,
    nullable: true,
  })
  movedNextAttemptAt: Date | null;

  @Column({ type: 'bigint', name: 'moved_sequence', nullable: true })
  movedSequence: string | null;
}
