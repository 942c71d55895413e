import { Reflector } from '@nestjs/core';
import type { z } from 'zod';
import type { RequestContext } from '../../auth/request-context.js';
import type { Scope } from '../../auth/scopes.js';
import type { Progress } from '../job.js';
import type { WrittenFile } from '../stored-files.repository.js';

interface JobLimits {
  /** Maximum number of concurrent jobs of the kind per process. Kinds do not share capacity. */
  concurrency: number;
  /** Maximum number of concurrent jobs per account, over all workers. Less than `concurrency`, so that one account cannot use all capacity. */
  concurrencyPerAccount: number;
  /** The first two limits for orders with `isLong`. Long and short jobs of the kind have separate queues. */
  long?: { concurrency: number; concurrencyPerAccount: number };
  /** Maximum number of queued and running jobs per account. More are refused. */
  unfinishedPerAccount: number;
  /** A job that takes longer is aborted, which counts as a crash. */
  timeLimitMs: number;
  /** Maximum number of attempts after internal errors. */
  maxAttempts: number;
}

/**
 * What a job reads. A caller who does not see all documents can see a job only if they ordered it, and while they see what
 * it reads:
 * - `document`: the document that `input.documentId` names (UUID)
 * - `collections`: all collections that `input.collectionIds` names (UUIDs)
 * - `own`: only what the client sent, so they can always see it
 * - `account`: all documents, so they can never see it
 */
export type JobReads = 'document' | 'collections' | 'own' | 'account';

/** A kind of job. A feature registers it with {@link RunsJobs}. See docs/contribute/add-a-job-kind.md. */
export interface JobKind<Input extends object = object> {
  /** The public `kind`, in the form `<noun>.<verb>`. */
  name: string;
  /** The scope required to read and cancel such jobs. The route that creates them requires the same. */
  scope: Scope;
  reads: JobReads;
  /** Validates the input when a worker reads it from the database. The input must not contain secrets. */
  input: z.ZodType<Input>;
  /**
   * `process`: on the worker's event loop, for I/O such as calls to a language model. `thread`: in a thread that runs one
   * job at a time, with the database and all providers of `JobKindsModule`, for CPU-bound work.
   */
  runsIn: 'process' | 'thread';
  limits: JobLimits;
  /** True if the runner's database changes and the job's success share one transaction. */
  isAtomic?: boolean;
}

/** The short or the long jobs of a kind, with their limits. */
export interface JobLane {
  kind: JobKind;
  isLong: boolean;
  concurrency: number;
  concurrencyPerAccount: number;
}

/** Returns one lane, or two if the kind has `long` limits. */
export function lanesOf(kind: JobKind): JobLane[] {
  const { long, concurrency, concurrencyPerAccount } = kind.limits;
  const short = { kind, isLong: false, concurrency, concurrencyPerAccount };
  return long ? [short, { kind, isLong: true, ...long }] : [short];
}

export type JobInput<Kind extends JobKind> = z.infer<Kind['input']>;

/** Input of a runner. Ids are UUIDs. */
export interface JobRun<Input extends object = object> {
  id: string;
  accountId: string;
  input: Input;
  inputFileId: string | null;
  /** Its access includes all documents of the account. */
  context: RequestContext;
  /** Aborts when the job is cancelled, times out or loses its lease, and when the process shuts down. */
  signal: AbortSignal;
  /** Can be called at any rate. */
  report: (progress: Progress) => void;
}

/** Result of a job: JSON in the job itself, or a file that can be fetched for three days. */
export type JobOutput = { json: Record<string, unknown> } | FileOutput;

export interface FileOutput {
  file: WrittenFile;
  mediaType: string;
  fileName: string;
  /** Figures about the work. */
  summary?: Record<string, unknown>;
}

/**
 * Runs the jobs of one kind. Any worker may run a job again from the start at any time. An `AppError` that the request
 * caused fails the job and is reported to the client; other errors are retried.
 */
export interface JobRunner<Input extends object = object> {
  run(job: JobRun<Input>): Promise<JobOutput>;
}

/** Registers a {@link JobRunner} for a kind. The class must be a provider of a module that `JobKindsModule` imports. */
export const RunsJobs = Reflector.createDecorator<JobKind>();
