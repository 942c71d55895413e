import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { UserEntity } from '../../../access/auth/entities/user.entity.js';

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
