import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A leaky bucket of attempts, for example by one network or for one e-mail address. */
@Entity('sign_in_attempts')
export class SignInAttemptsEntity {
  /** SHA-256 of the limited key. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'sign_in_attempts_pkey' })
  bucket: Buffer;

  /** When the bucket will be empty. */
  @Index('sign_in_attempts_empty_at_idx')
  @Column({ type: 'timestamptz', name: 'empty_at', precision: 3 })
  emptyAt: Date;
}
