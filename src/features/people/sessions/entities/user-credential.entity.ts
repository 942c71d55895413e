import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { UserEntity } from '../../../access/auth/entities/user.entity.js';

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
