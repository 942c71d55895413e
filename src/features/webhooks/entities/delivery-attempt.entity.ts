import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One try to hand a delivery to its receiver: what was sent, what came back, how long it took. */
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

  /** The stage and kind of a failure, such as `connect_refused`; `null` on success. */
  @Column({ type: 'text', name: 'error_class', nullable: true })
  errorClass: string | null;

  /** A sentence that says what happened and what to do; `null` on success. */
  @Column({ type: 'text', name: 'error_message', nullable: true })
  errorMessage: string | null;
}
