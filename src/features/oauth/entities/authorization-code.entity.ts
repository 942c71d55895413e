import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { ConnectedApp } from '../../auth/connected-app.js';
import { AccountEntity } from '../../auth/entities/account.entity.js';
import { UserEntity } from '../../auth/entities/user.entity.js';
import type { Scope } from '../../auth/scopes.js';

/** A person's consent, which the app exchanges for tokens once. Used codes stay for a day, to detect a second use. */
@Entity('authorization_codes')
export class AuthorizationCodeEntity {
  /** SHA-256 of the code. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'authorization_codes_pkey' })
  hash: Buffer;

  @Index('authorization_codes_account_id_idx')
  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'account_id',
    foreignKeyConstraintName: 'authorization_codes_account_id_fkey',
  })
  account: Relation<AccountEntity>;

  @Index('authorization_codes_user_id_idx')
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'authorization_codes_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column({ type: 'jsonb' })
  client: ConnectedApp;

  @Column({ type: 'text', name: 'redirect_uri' })
  redirectUri: string;

  /** PKCE challenge (RFC 7636), method S256. */
  @Column({ type: 'text', name: 'code_challenge' })
  codeChallenge: string;

  /** The resource that the app named (RFC 8707). */
  @Column({ type: 'text', nullable: true })
  resource: string | null;

  @Column({ type: 'text', array: true })
  scopes: Scope[];

  /** UUIDs of the collections that the app is limited to, with all below them; null for no limit. */
  @Column({ type: 'uuid', array: true, nullable: true })
  collections: string[] | null;

  /** Days that the access lasts. */
  @Column('integer')
  days: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Index('authorization_codes_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;

  /** The key that the exchange made; a second use of the code ends it. */
  @Column({ type: 'uuid', name: 'key_id', nullable: true })
  keyId: string | null;
}
