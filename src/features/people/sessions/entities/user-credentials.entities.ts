import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { UserEntity } from '../../../auth/entities/user.entity.js';

/** The password of a user. Users who sign in only through a provider have none. */
@Entity('user_credentials')
export class UserCredentialEntity {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'user_credentials_pkey' })
  userId: string;

  @OneToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_credentials_user_id_fkey' })
  user: Relation<UserEntity>;

  /** argon2id hash in PHC format, including its parameters. */
  @Column({ type: 'text', name: 'password_hash' })
  passwordHash: string;

  /** True if the e-mail address was verified when the password was set. Only releases before `users.email_verified_at` read it. */
  @Column({ type: 'boolean', name: 'is_vouched' })
  isVouched: boolean;

  @Column({ type: 'timestamptz', name: 'changed_at', precision: 3 })
  changedAt: Date;
}

/** A user's identity at an OpenID Connect provider. */
@Entity('user_identities')
export class UserIdentityEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'user_identities_pkey' })
  issuer: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'user_identities_pkey' })
  subject: string;

  @Index('user_identities_user_id_idx')
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_identities_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** The authenticator app of a user, and the recovery codes. */
@Entity('user_second_factors')
export class UserSecondFactorEntity {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'user_second_factors_pkey' })
  userId: string;

  @OneToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_second_factors_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column({ type: 'bytea', name: 'secret_encrypted' })
  secretEncrypted: Buffer;

  /** `null` until a first code proves that the app has the secret. */
  @Column({ type: 'timestamptz', name: 'confirmed_at', precision: 3, nullable: true })
  confirmedAt: Date | null;

  /** The time step of the last accepted code. Codes of this and earlier steps are rejected. */
  @Column({ type: 'integer', name: 'last_used_step', nullable: true })
  lastUsedStep: number | null;

  /** SHA-256 hashes of the unused recovery codes. */
  @Column({ type: 'bytea', name: 'recovery_hashes', array: true, default: () => `'{}'` })
  recoveryHashes: Buffer[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
