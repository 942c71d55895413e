import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JobContext, JobError, JobStatus } from '../job-state.js';

/** PostgreSQL's bigint arrives as text; these numbers are far below 2^53. */
const asNumber = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null) => value,
};

/** Work that is done in the background, and what came of it. Ids are UUIDs. */
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

  /** What its runner is to do. */
  @Column('json')
  input: object;

  /** A file it reads; it may go when the job has ended. */
  @Column({ type: 'uuid', name: 'input_file_id', nullable: true })
  inputFileId: string | null;

  /** Who asked for it, by which request. */
  @Column('json')
  context: JobContext;

  /** Jobs of a kind are begun in the order of their turns, in which accounts alternate. */
  @Column({ type: 'integer', default: 0 })
  turn: number;

  /** Whether the `long` limits of its kind apply to it. */
  @Column({ type: 'boolean', name: 'is_long', default: false })
  isLong: boolean;

  @Column({ type: 'bigint', default: 0, transformer: asNumber })
  done: number;

  @Column({ type: 'bigint', nullable: true, transformer: asNumber })
  total: number | null;

  /** Begun so far, this one too. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** How often it crashed or hung its thread, took too long, or took its worker with it. */
  @Column({ type: 'integer', default: 0 })
  crashes: number;

  /** Not before; on the clock of the database, which all workers share. */
  @Column({ type: 'timestamptz', name: 'run_at', precision: 3 })
  runAt: Date;

  /** Until when a worker holds this job; null when none does. */
  @Column({ type: 'timestamptz', name: 'lease_expires_at', precision: 3, nullable: true })
  leaseExpiresAt: Date | null;

  /** Grows with each lease, so that a worker that was paused beyond its lease writes nothing. */
  @Column({ type: 'integer', name: 'lease_generation', default: 0 })
  leaseGeneration: number;

  /** Of a file what is told of it, else what the job has made itself. */
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
