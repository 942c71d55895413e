import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'cancelled';

/** That one event is owed to one webhook. Written in the transaction of the event, so none is ever lost. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_due_idx', { synchronize: false })
@Index('webhook_deliveries_unsuccessful_idx', { synchronize: false })
@Index('webhook_deliveries_webhook_id_idx', ['webhookId', 'createdAt', 'id'])
@Index('webhook_deliveries_account_id_idx', ['accountId', 'createdAt', 'id'])
@Index('webhook_deliveries_account_id_unsuccessful_idx', { synchronize: false })
@Index('webhook_deliveries_event_id_idx', ['eventId'])
@Check(
  'webhook_deliveries_status_check',
  `"status" IN ('pending', 'succeeded', 'failed', 'cancelled')`,
)
export class WebhookDeliveryEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column({ type: 'uuid', name: 'event_id' })
  eventId: string;

  @Column({ type: 'uuid', name: 'webhook_id' })
  webhookId: string;

  /** What the event is about; of one webhook and subject at most one delivery is in flight. `null` holds up nothing. */
  @Column({ type: 'uuid', name: 'subject_id', nullable: true })
  subjectId: string | null;

  /** The order in which deliveries were planned. A bigint: text in JavaScript. */
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  sequence: string;

  @Column({ type: 'text', default: 'pending' })
  status: DeliveryStatus;

  /** The type of the event, repeated here for the list of deliveries. */
  @Column({ type: 'text', name: 'event_type', nullable: true })
  eventType: string | null;

  /** Whether the thin form is sent: every attempt sends the same bytes, also when the webhook is changed meanwhile. */
  @Column({ type: 'boolean', nullable: true })
  thin: boolean | null;

  /** Attempts made so far. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Attempts made before the delivery was last sent anew: the schedule of retries counts from there. */
  @Column({ type: 'integer', name: 'earlier_attempts', default: 0 })
  earlierAttempts: number;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3 })
  nextAttemptAt: Date;

  /** Until when a worker holds this delivery; `null` when none does. */
  @Column({ type: 'timestamptz', name: 'lease_expires_at', precision: 3, nullable: true })
  leaseExpiresAt: Date | null;

  /** Grows with each lease, so that a worker paused beyond its lease cannot acknowledge. */
  @Column({ type: 'integer', name: 'lease_generation', default: 0 })
  leaseGeneration: number;

  /** The error class of the latest attempt; `null` before the first and after a success. */
  @Column({ type: 'text', name: 'last_error_class', nullable: true })
  lastErrorClass: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt: Date | null;
}
