import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The response to a request that carried an Idempotency-Key. */
@Entity('idempotency_keys')
@Index('idempotency_keys_expires_at_idx', ['expiresAt'])
export class IdempotencyRecordEntity {
  /** SHA-256 of account, principal, method, path and key. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  id: Buffer;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** UUID of the API key or user that sent the request. */
  @Column({ type: 'uuid', name: 'principal_id', nullable: true })
  principalId: string | null;

  /** SHA-256 of the body, to distinguish a retry from a different request. */
  @Column({ type: 'bytea', name: 'body_hash' })
  bodyHash: Buffer;

  /** Encrypted, because it contains client data. Values that are shown only once are left out. */
  @Column({ type: 'bytea', name: 'outcome_encrypted' })
  outcomeEncrypted: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
