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

export type WebhookStatus = 'active' | 'disabled';
export type WebhookPayload = 'full' | 'thin';

/** A receiver of events. Its secret is encrypted: signing needs to read it again. */
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

  /** AES-256-GCM with the key id in the record and the webhook id as additional data (see secrets/secret-box.ts). */
  @Column({ type: 'bytea', name: 'secret_encrypted' })
  secretEncrypted: Buffer;

  @Column({ type: 'text', name: 'secret_preview' })
  secretPreview: string;

  @Column({ type: 'text', default: 'active' })
  status: WebhookStatus;

  @Column({ type: 'text', name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  @Column({ type: 'timestamptz', name: 'last_delivery_at', precision: 3, nullable: true })
  lastDeliveryAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
