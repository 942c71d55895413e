import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The key of requests from the dashboard, which have none. The column is not null: the release before this one, which may
 * still run during an upgrade, expects a key.
 */
export const NO_KEY = '00000000-0000-0000-0000-000000000000';

/** A request with an API key, or a failed one from the dashboard. Its body is never stored. */
@Entity('request_log')
@Index('request_log_account_id_created_at_idx', { synchronize: false })
export class RequestEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'request_log_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** {@link NO_KEY} for the dashboard. */
  @Column({ type: 'uuid', name: 'key_id' })
  keyId: string;

  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @Column('text')
  method: string;

  @Column('text')
  route: string;

  @Column('text')
  path: string;

  @Column('smallint')
  status: number;

  @Column({ type: 'real', name: 'duration_ms' })
  durationMs: number;

  @Column({ type: 'text', name: 'client_address', nullable: true })
  clientAddress: string | null;

  @Column({ type: 'text', name: 'user_agent', nullable: true })
  userAgent: string | null;

  /** The label of the browser token. */
  @Column({ type: 'text', name: 'token_label', nullable: true })
  tokenLabel: string | null;

  /** Prepared statements return it as text. */
  @Column({ type: 'json', nullable: true })
  error: object | null;

  /** When the request arrived. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** Number of requests in an hour that are not in the log. */
@Entity('unlogged_requests')
@Check('unlogged_requests_reason_check', `"reason" IN ('busy', 'outage', 'full')`)
export class UnloggedRequestsEntity {
  @PrimaryColumn('uuid', {
    name: 'account_id',
    primaryKeyConstraintName: 'unlogged_requests_pkey',
  })
  accountId: string;

  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'unlogged_requests_pkey',
  })
  hour: Date;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'unlogged_requests_pkey' })
  reason: 'busy' | 'outage' | 'full';

  /** TypeORM returns a bigint as text. */
  @Column('bigint')
  count: string;
}
