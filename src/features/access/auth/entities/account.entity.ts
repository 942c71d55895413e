import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Plan } from '../plan.js';

/** What has a plan, members, keys and documents. */
@Entity('accounts')
@Check('accounts_plan_check', `"plan" IN ('free', 'plus', 'pro', 'enterprise')`)
export class AccountEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'accounts_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: Plan;

  /** The account's own limits, read on Enterprise only; `null` is unlimited in that window. */
  @Column({ type: 'integer', name: 'minute_limit', nullable: true })
  minuteLimit: number | null;

  @Column({ type: 'integer', name: 'hour_limit', nullable: true })
  hourLimit: number | null;

  @Column({ type: 'integer', name: 'day_limit', nullable: true })
  dayLimit: number | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When somebody has put the first steps of the dashboard aside. */
  @Column({
    type: 'timestamptz',
    name: 'first_steps_dismissed_at',
    precision: 3,
    nullable: true,
  })
  firstStepsDismissedAt: Date | null;

  /** Since when the operator has it suspended: it is refused, and workers do nothing for it. */
  @Column({ type: 'timestamptz', name: 'suspended_at', precision: 3, nullable: true })
  suspendedAt: Date | null;
}
