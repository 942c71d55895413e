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
import { UserEntity } from '../../../auth/entities/user.entity.js';
import type { Role } from '../../../auth/roles.js';

export type LinkPurpose = 'first-run' | 'invitation' | 'password';

/** A link that can be used once. */
@Entity('one_time_links')
@Index('one_time_links_account_id_idx', ['accountId', 'createdAt'])
@Check('one_time_links_purpose_check', `"purpose" IN ('first-run', 'invitation', 'password')`)
export class OneTimeLinkEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'one_time_links_pkey' })
  id: string;

  /** SHA-256 of the token in the link. */
  @Index('one_time_links_token_hash_key', { unique: true })
  @Column({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  /** SHA-256 of the token that is sent by mail only. */
  @Index('one_time_links_mailed_token_hash_key', { unique: true })
  @Column({ type: 'bytea', name: 'mailed_token_hash', nullable: true })
  mailedTokenHash: Buffer | null;

  @Column('text')
  purpose: LinkPurpose;

  /** The user whose password it sets; `null` if it creates the user. */
  @Index('one_time_links_user_id_idx')
  @Column({ type: 'uuid', name: 'user_id', nullable: true })
  userId: string | null;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'one_time_links_user_id_fkey' })
  user: Relation<UserEntity> | null;

  /** `null` if the person who uses the link enters it. */
  @Column({ type: 'text', nullable: true })
  email: string | null;

  /** The account of an invitation. */
  @Column({ type: 'uuid', name: 'account_id', nullable: true })
  accountId: string | null;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'one_time_links_account_id_fkey' })
  account: Relation<AccountEntity> | null;

  @Column({ type: 'text', nullable: true })
  role: Role | null;

  @Column({ type: 'uuid', name: 'invited_by', nullable: true })
  invitedBy: string | null;

  @ManyToOne(() => UserEntity, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'invited_by', foreignKeyConstraintName: 'one_time_links_invited_by_fkey' })
  inviter: Relation<UserEntity> | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Index('one_time_links_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;
}
