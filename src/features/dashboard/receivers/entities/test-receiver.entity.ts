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
import { AccountEntity } from '../../../auth/entities/account.entity.js';

/** Result of checking a delivery's signature against the webhooks with this URL; unknown if there are none. */
export const SIGNATURES = ['valid', 'invalid', 'unknown'] as const;
export type Signature = (typeof SIGNATURES)[number];

/** A URL of this service that records the deliveries sent to it. */
@Entity('test_receivers')
@Index('test_receivers_account_id_idx', ['accountId', 'createdAt'])
export class TestReceiverEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'test_receivers_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'test_receivers_account_id_fkey' })
  account: Relation<AccountEntity>;

  /** The last part of the URL. It allows sending, but not reading. */
  @Index('test_receivers_token_key', { unique: true })
  @Column('text')
  token: string;

  @Column('text')
  url: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Index('test_receivers_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

/** A delivery to a receiver. */
@Entity('received_deliveries')
@Index('received_deliveries_receiver_id_idx', ['receiverId', 'receivedAt', 'id'])
@Check('received_deliveries_signature_check', `"signature" IN ('valid', 'invalid', 'unknown')`)
export class ReceivedDeliveryEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'received_deliveries_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'receiver_id' })
  receiverId: string;

  @ManyToOne(() => TestReceiverEntity, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'receiver_id',
    foreignKeyConstraintName: 'received_deliveries_receiver_id_fkey',
  })
  receiver: Relation<TestReceiverEntity>;

  @Column({ type: 'timestamptz', name: 'received_at', precision: 3 })
  receivedAt: Date;

  /** The body's `type`, if any. */
  @Column({ type: 'text', name: 'event_type', nullable: true })
  eventType: string | null;

  @Column('json')
  headers: Record<string, string>;

  @Column('text')
  body: string;

  @Column('text')
  signature: Signature;
}
