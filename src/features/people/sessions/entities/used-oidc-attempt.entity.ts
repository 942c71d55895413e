import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A sign-in with a provider that came back, and cannot be finished again. */
@Entity('used_oidc_attempts')
export class UsedOidcAttemptEntity {
  /** SHA-256 of the state that the provider returns. */
  @PrimaryColumn('bytea', {
    name: 'state_hash',
    primaryKeyConstraintName: 'used_oidc_attempts_pkey',
  })
  stateHash: Buffer;

  /** When the cookie of the attempt is no longer accepted. */
  @Index('used_oidc_attempts_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
