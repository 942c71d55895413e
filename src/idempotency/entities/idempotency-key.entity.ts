import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The outcome of a request that carried an Idempotency-Key. */
@Entity('idempotency_keys')
@Index('idempotency_keys_expires_at_idx', ['expiresAt'])
export class IdempotencyKeyEntity {
  /** SHA-256 of account, principal, method, path and key. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  id: Buffer;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Who asked: the API key. */
  @Column({ type: 'uuid', name: 'principal_id', nullable: true })
  principalId: string | null;

  /** SHA-256 of the body, to tell a retry from another request. */
  @Column({ type: 'bytea', name: 'body_hash' })
  bodyHash: Buffer;

  /** Encrypted, because an outcome holds what a client wrote; without what is shown once. */
  @Column({ type: 'bytea', name: 'outcome_encrypted' })
  outcomeEncrypted: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
