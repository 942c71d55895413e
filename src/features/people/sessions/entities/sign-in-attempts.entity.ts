import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How much of its attempts to sign in an address or an e-mail address has used up. */
@Entity('sign_in_attempts')
export class SignInAttemptsEntity {
  /** SHA-256 of what is limited. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'sign_in_attempts_pkey' })
  bucket: Buffer;

  /** When the last of its attempts is forgotten. */
  @Index('sign_in_attempts_empty_at_idx')
  @Column({ type: 'timestamptz', name: 'empty_at', precision: 3 })
  emptyAt: Date;
}
