import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'cancelled';

/** The delivery of one event to one webhook. Inserted in the event's transaction, so none is lost. */
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

  /** The subject of the event. At most one delivery per webhook and subject is in flight, except for `null`. */
  @Column({ type: 'uuid', name: 'subject_id', nullable: true })
  subjectId: string | null;

  /** The order in which deliveries were planned. A bigint, which is a string in JavaScript. */
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  sequence: string;

  @Column({ type: 'text', default: 'pending' })
  status: DeliveryStatus;

  /** The type of the event, copied for the list of deliveries. */
  @Column({ type: 'text', name: 'event_type', nullable: true })
  eventType: string | null;

  /** True if the thin form is sent. All attempts send the same bytes, even if the webhook changes in the meantime. */
  @Column({ type: 'boolean', nullable: true })
  thin: boolean | null;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Attempts before the last redelivery. The retry schedule starts after them. */
  @Column({ type: 'integer', name: 'earlier_attempts', default: 0 })
  earlierAttempts: number;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3 })
  nextAttemptAt: Date;

  /** The end of a worker's lease; `null` without a lease. */
  @Column({ type: 'timestamptz', name: 'lease_expires_at', precision: 3, nullable: true })
  leaseExpiresAt: Date | null;

  /** Increases with each lease, so that a worker paused beyond its lease cannot record an outcome. */
  @Column({ type: 'integer', name: 'lease_generation', default: 0 })
  leaseGeneration: number;

  /** Error class of the latest attempt; `null` before the first attempt and after a success. */
  @Column({ type: 'text', name: 'last_error_class', nullable: true })
  lastErrorClass: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt: Date | null;
}

/** An attempt to send a delivery. */
@Entity('webhook_delivery_attempts')
export class DeliveryAttemptEntity {
  @PrimaryColumn('uuid', {
    name: 'delivery_id',
    primaryKeyConstraintName: 'webhook_delivery_attempts_pkey',
  })
  deliveryId: string;

  /** Counted from 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'webhook_delivery_attempts_pkey' })
  number: number;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3 })
  startedAt: Date;

  @Column({ type: 'integer', name: 'duration_ms' })
  durationMs: number;

  @Column({ type: 'json', name: 'request_headers' })
  requestHeaders: Record<string, string>;

  @Column({ type: 'integer', name: 'response_status', nullable: true })
  responseStatus: number | null;

  @Column({ type: 'json', name: 'response_headers', nullable: true })
  responseHeaders: Record<string, string> | null;

  @Column({ type: 'text', name: 'response_excerpt', nullable: true })
  responseExcerpt: string | null;

  /** The kind of failure, such as `connect_refused`; `null` on success. */
  @Column({ type: 'text', name: 'error_class', nullable: true })
  errorClass: string | null;

  /** Says what happened and what to do; `null` on success. */
  @Column({ type: 'text', name: 'error_message', nullable: true })
  errorMessage: string | null;
}

/** The leased deliveries of a webhook. Only `claim_webhook_deliveries` reads and writes it. */
@Entity('webhook_claims')
export class WebhookClaimEntity {
  @PrimaryColumn('uuid', { name: 'webhook_id', primaryKeyConstraintName: 'webhook_claims_pkey' })
  webhookId: string;

  @Column('uuid', { name: 'delivery_ids', array: true })
  deliveryIds: string[];
}
