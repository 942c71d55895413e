import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { AccountEntity } from '../../auth/entities/account.entity.js';
import type { StoredFilter } from '../settings/webhook-filter.js';

type WebhookStatus = 'active' | 'disabled';
type WebhookPayload = 'full' | 'thin';

/** A receiver of events. Its secret is encrypted, not hashed, because signing needs it. */
@Entity('webhooks')
@Index('webhooks_account_id_created_at_idx', ['accountId', 'createdAt', 'id'])
@Index('webhooks_account_id_updated_at_idx', ['accountId', 'updatedAt', 'id'])
@Check('webhooks_status_check', `"status" IN ('active', 'disabled')`)
@Check('webhooks_payload_check', `"payload" IN ('full', 'thin')`)
export class WebhookEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhooks_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'webhooks_account_id_fkey' })
  account: Relation<AccountEntity>;

  @Column('text')
  url: string;

  /** Names and patterns of the catalogue, as registered: `document.created`, `document.*`, `*`. */
  @Column({ type: 'text', array: true })
  events: string[];

  @Column('text')
  payload: WebhookPayload;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** AES-256-GCM with the key ID in the record and the webhook ID as additional data (see secrets/secret-box.ts). */
  @Column({ type: 'bytea', name: 'secret_encrypted' })
  secretEncrypted: Buffer;

  @Column({ type: 'text', name: 'secret_preview' })
  secretPreview: string;

  /** The secret before the last rotation, which also signs until the time below. Encrypted in the same way. */
  @Column({ type: 'bytea', name: 'previous_secret_encrypted', nullable: true })
  previousSecretEncrypted: Buffer | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_expires_at', precision: 3, nullable: true })
  previousSecretExpiresAt: Date | null;

  /** Custom headers as JSON, encrypted like the secrets; `null` if there are none. */
  @Column({ type: 'bytea', name: 'headers_encrypted', nullable: true })
  headersEncrypted: Buffer | null;

  /** Custom headers as responses show them. */
  @Column({ type: 'jsonb', name: 'headers_masked', default: () => `'{}'` })
  headersMasked: Record<string, string>;

  /** Limits the events to matching documents. `null` for all. */
  @Column({ type: 'jsonb', nullable: true })
  filter: StoredFilter | null;

  @Column({ type: 'text', default: 'active' })
  status: WebhookStatus;

  @Column({ type: 'text', name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  @Column({ type: 'timestamptz', name: 'disabled_at', precision: 3, nullable: true })
  disabledAt: Date | null;

  @Column({ type: 'timestamptz', name: 'last_delivery_at', precision: 3, nullable: true })
  lastDeliveryAt: Date | null;

  /** The first failed attempt since the last success; `null` while the receiver is healthy. */
  @Column({ type: 'timestamptz', name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  /** Failed attempts since the last success. */
  @Column({ type: 'integer', name: 'consecutive_failures', default: 0 })
  consecutiveFailures: number;

  /** When deliveries began to wait for a successful probe; `null` while the circuit is closed. */
  @Column({ type: 'timestamptz', name: 'circuit_opened_at', precision: 3, nullable: true })
  circuitOpenedAt: Date | null;

  /** When the next probe may be sent; `null` while the circuit is closed. */
  @Column({ type: 'timestamptz', name: 'circuit_probe_at', precision: 3, nullable: true })
  circuitProbeAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
