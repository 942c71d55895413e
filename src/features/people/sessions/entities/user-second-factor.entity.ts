import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { UserEntity } from '../../../access/auth/entities/user.entity.js';

/** The authenticator app of a user, and the codes for when it is lost. */
@Entity('user_second_factors')
export class UserSecondFactorEntity {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'user_second_factors_pkey' })
  userId: string;

  @OneToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_second_factors_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column({ type: 'bytea', name: 'secret_encrypted' })
  secretEncrypted: Buffer;

  /** `null` until a first code has shown that the app has the secret. */
  @Column({ type: 'timestamptz', name: 'confirmed_at', precision: 3, nullable: true })
  confirmedAt: Date | null;

  /** The time step of the last code that was taken; it and those before are not taken again. */
  @Column({ type: 'integer', name: 'last_used_step', nullable: true })
  lastUsedStep: number | null;

  /** SHA-256 of the recovery codes that are left. */
  @Column({ type: 'bytea', name: 'recovery_hashes', array: true, default: () => `'{}'` })
  recoveryHashes: Buffer[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
