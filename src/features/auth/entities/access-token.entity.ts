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
import type { TokenLimits } from '../principal.js';
import type { Scope } from '../scopes.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** A token of a key. It ends with its key and never exceeds it. Only its hash is stored. */
@Entity('access_tokens')
@Index('access_tokens_key_id_idx', ['keyId', 'kind', 'createdAt'])
@Check('access_tokens_kind_check', `"kind" IN ('access', 'refresh', 'browser')`)
export class AccessTokenEntity {
  /** SHA-256 of the whole token. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'access_tokens_pkey' })
  hash: Buffer;

  @Column('uuid')
  id: string;

  @Column({ type: 'uuid', name: 'key_id' })
  keyId: string;

  @ManyToOne(() => ApiKeyEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'access_tokens_key_id_fkey' })
  key: Relation<ApiKeyEntity>;

  @Column('text')
  kind: 'access' | 'refresh' | 'browser';

  @Column({ type: 'text', array: true })
  scopes: Scope[];

  /** What a browser token is limited to; `null` means all documents of its key. */
  @Column({ type: 'jsonb', nullable: true })
  documents: TokenLimits | null;

  @Column({ type: 'integer', name: 'minute_limit', nullable: true })
  minuteLimit: number | null;

  @Column({ type: 'text', nullable: true })
  label: string | null;

  /** When a refresh token was replaced. It still works for some minutes. */
  @Column({ type: 'timestamptz', name: 'rotated_at', precision: 3, nullable: true })
  rotatedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Index('access_tokens_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
