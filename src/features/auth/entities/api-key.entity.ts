import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { ConnectedApp } from '../connected-app.js';
import type { WindowLimits } from '../plan.js';
import type { Scope } from '../scopes.js';
import { AccountEntity } from './account.entity.js';
import { UserEntity } from './user.entity.js';

/** An API key. Only its hash and its last four characters are stored; the key is shown once. */
@Entity('api_keys')
@Index('api_keys_account_id_created_at_idx', ['accountId', 'createdAt', 'id'])
@Index('api_keys_apps_idx', ['accountId', 'userId'], { where: 'client IS NOT NULL' })
export class ApiKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'api_keys_account_id_fkey' })
  account: Relation<AccountEntity>;

  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_keys_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column('text')
  name: string;

  /** SHA-256 of the whole key. */
  @Index('api_keys_key_hash_key', { unique: true })
  @Column({ type: 'bytea', name: 'key_hash' })
  keyHash: Buffer;

  @Column({ type: 'text', name: 'last_four' })
  lastFour: string;

  @Column({ type: 'text', array: true })
  scopes: Scope[];

  /** Addresses and CIDR ranges that may use the key; empty allows all. */
  @Column({ type: 'text', name: 'allowed_ips', array: true, default: () => `'{}'` })
  allowedIps: string[];

  /** UUIDs of the collections that the key is limited to, with all below them. Null: no limit. Empty: nothing. */
  @Column({ type: 'uuid', array: true, nullable: true })
  collections: string[] | null;

  /** Maximum requests of the key per window, in addition to its account's limits; `null` is no limit. */
  @Column({ type: 'jsonb', nullable: true })
  limits: WindowLimits | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;

  /** The successor created by its rotation. A key can be rotated once. */
  @Column({ type: 'uuid', name: 'replaced_by', nullable: true })
  replacedBy: string | null;

  /** The app that uses the key with its own tokens; `null` for a key that a program sends itself. */
  @Column({ type: 'jsonb', nullable: true })
  client: ConnectedApp | null;

  /** Written at most once a minute. */
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
