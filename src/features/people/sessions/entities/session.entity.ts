import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { UserEntity } from '../../../auth/entities/user.entity.js';

/** A signed-in browser. */
@Entity('sessions')
@Index('sessions_user_id_idx', ['userId', 'seenAt'])
export class SessionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sessions_pkey' })
  id: string;

  /** SHA-256 of the token in the cookie. */
  @Index('sessions_token_hash_key', { unique: true })
  @Column({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user_id_fkey' })
  user: Relation<UserEntity>;

  /** The address at sign-in; `null` if a proxy does not forward it. */
  @Column({ type: 'text', nullable: true })
  address: string | null;

  @Column({ type: 'text', name: 'user_agent', nullable: true })
  userAgent: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Written at most once a minute. */
  @Index('sessions_seen_at_idx')
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3 })
  seenAt: Date;

  @Index('sessions_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
