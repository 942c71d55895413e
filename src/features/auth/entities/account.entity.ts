import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { ConnectedAppsSetting } from '../connected-app.js';
import type { Plan } from '../plan.js';

/** A tenant: it has a plan, members, keys and documents. */
@Entity('accounts')
@Check('accounts_plan_check', `"plan" IN ('free', 'plus', 'pro', 'enterprise')`)
@Check('accounts_connected_apps_check', `"connected_apps" IN ('everyone', 'admins', 'nobody')`)
export class AccountEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'accounts_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: Plan;

  /** Custom limits, used on Enterprise only; `null` is unlimited. */
  @Column({ type: 'integer', name: 'minute_limit', nullable: true })
  minuteLimit: number | null;

  @Column({ type: 'integer', name: 'hour_limit', nullable: true })
  hourLimit: number | null;

  @Column({ type: 'integer', name: 'day_limit', nullable: true })
  dayLimit: number | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When a member dismissed the first steps in the dashboard. */
  @Column({
    type: 'timestamptz',
    name: 'first_steps_dismissed_at',
    precision: 3,
    nullable: true,
  })
  firstStepsDismissedAt: Date | null;

  /** Rises with every change of the account's collections. 0 if it never had one. */
  @Column({ type: 'bigint', name: 'access_epoch', default: 0 })
  accessEpoch: string;

  /** When the operator suspended it. Requests are refused and workers skip it. */
  @Column({ type: 'timestamptz', name: 'suspended_at', precision: 3, nullable: true })
  suspendedAt: Date | null;

  /** Who can connect apps. It also applies to apps that are already connected. */
  @Column({ type: 'text', name: 'connected_apps', default: 'everyone' })
  connectedApps: ConnectedAppsSetting;
}
