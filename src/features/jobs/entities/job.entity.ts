import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JobContext, JobError, JobStatus } from '../queue/job-state.js';

/** TypeORM returns bigints as text. These values are far below 2^53. */
const asNumber = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null) => value,
};

/** A background job and its result. Ids are UUIDs. */
@Entity('jobs')
@Index('jobs_account_id_created_at_idx', ['accountId', 'createdAt', 'id'])
@Index('jobs_queued_idx', { synchronize: false })
@Index('jobs_running_idx', { synchronize: false })
@Index('jobs_unfinished_idx', { synchronize: false })
@Index('jobs_finished_at_idx', { synchronize: false })
@Check('jobs_status_check', `"status" IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')`)
export class JobEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'jobs_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Name of a registered kind. */
  @Column('text')
  kind: string;

  @Column({ type: 'text', default: 'queued' })
  status: JobStatus;

  /** Input of the runner. */
  @Column('json')
  input: object;

  /** A file that the job reads. It is removed after the job finishes. */
  @Column({ type: 'uuid', name: 'input_file_id', nullable: true })
  inputFileId: string | null;

  @Column('json')
  context: JobContext;

  /** Workers claim jobs of a kind in the order of their turns, which alternate between accounts. */
  @Column({ type: 'integer', default: 0 })
  turn: number;

  /** True if the `long` limits of the kind apply. */
  @Column({ type: 'boolean', name: 'is_long', default: false })
  isLong: boolean;

  @Column({ type: 'bigint', default: 0, transformer: asNumber })
  done: number;

  @Column({ type: 'bigint', nullable: true, transformer: asNumber })
  total: number | null;

  /** Includes the current attempt. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Attempts that crashed or blocked their thread, timed out, or crashed their worker. */
  @Column({ type: 'integer', default: 0 })
  crashes: number;

  /** Earliest start, by the database's clock, which all workers share. */
  @Column({ type: 'timestamptz', name: 'run_at', precision: 3 })
  runAt: Date;

  /** Null unless a worker holds the job. */
  @Column({ type: 'timestamptz', name: 'lease_expires_at', precision: 3, nullable: true })
  leaseExpiresAt: Date | null;

  /** Increases with each lease, so that a worker whose lease has expired cannot write. */
  @Column({ type: 'integer', name: 'lease_generation', default: 0 })
  leaseGeneration: number;

  /** The JSON result, or metadata of the result file. */
  @Column('json', { nullable: true })
  result: Record<string, unknown> | null;

  @Column({ type: 'uuid', name: 'result_file_id', nullable: true })
  resultFileId: string | null;

  @Column('json', { nullable: true })
  error: JobError | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt: Date | null;
}
