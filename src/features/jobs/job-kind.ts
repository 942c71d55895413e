import { Reflector } from '@nestjs/core';
import type { z } from 'zod';
import type { Scope } from '../access/auth/scopes.js';
import type { Progress } from './job.js';
import type { JobContext } from './job-state.js';
import type { WrittenFile } from './stored-files.js';

interface JobLimits {
  /** Jobs of the kind that one process does at once. No kind takes the place of another one. */
  atOnce: number;
  /** The same for one account, over all workers; less than `atOnce`, or one account could take all. */
  atOncePerAccount: number;
  /**
   * The first two limits for long jobs, where a kind tells short from long ones by `isLong` of its orders. Long and short
   * jobs then wait and run beside each other.
   */
  long?: { atOnce: number; atOncePerAccount: number };
  /** Jobs of the kind that an account may have waiting and running; one more is refused. */
  unfinishedPerAccount: number;
  /** What takes longer is cut and counts as a crash. */
  timeLimitMs: number;
  /** How often a job is begun that fails on our side. */
  tries: number;
}

/** A kind of job: what a feature registers with its runner, by {@link RunsJobs}. See docs/guides/add-a-job-kind.md. */
export interface JobKind<Input extends object = object> {
  /** The `kind` that clients see: `<noun>.<verb>`. */
  name: string;
  /** What a key needs to see such jobs and to cancel them: what the request for one needs. */
  scope: Scope;
  /** Checks the input when a worker reads it back from the database. Never holds secrets. */
  input: z.ZodType<Input>;
  /**
   * `process`: on the event loop of the worker, for what waits, such as calls of a model. `thread`: in a thread that serves
   * one job after the other, with the database and all providers of `JobKindsModule`, for what computes.
   */
  runsIn: 'process' | 'thread';
  limits: JobLimits;
  /** Whether all that the runner does in the database, and its success, are one transaction. */
  isAtomic?: boolean;
}

/** The short or the long jobs of a kind, with their limits. */
export interface JobLane {
  kind: JobKind;
  isLong: boolean;
  atOnce: number;
  atOncePerAccount: number;
}

/** Returns the lanes of a kind: one, or two where it tells short from long jobs. */
export function lanesOf(kind: JobKind): JobLane[] {
  const { long, atOnce, atOncePerAccount } = kind.limits;
  const short = { kind, isLong: false, atOnce, atOncePerAccount };
  return long ? [short, { kind, isLong: true, ...long }] : [short];
}

export type JobInput<Kind extends JobKind> = z.infer<Kind['input']>;

/** What a runner is given. Ids are UUIDs. */
export interface JobRun<Input extends object = object> {
  id: string;
  accountId: string;
  input: Input;
  inputFileId: string | null;
  context: JobContext;
  /** Aborts when the job is cancelled, takes too long or has another worker, and when the process ends. */
  signal: AbortSignal;
  /** May be called as often as there is progress. */
  report: (progress: Progress) => void;
}

/** What a job has made: JSON that the job shows, or a file that can be fetched for three days. */
export type JobOutput = { json: Record<string, unknown> } | FileOutput;

export interface FileOutput {
  file: WrittenFile;
  mediaType: string;
  fileName: string;
  /** A few numbers on what was done. */
  summary?: Record<string, unknown>;
}

/**
 * Does the jobs of one kind. It may be begun again from the start at any time, by any worker. What it throws as an
 * `AppError` about the request ends the job and is told to the client; anything else is tried again.
 */
export interface JobRunner<Input extends object = object> {
  run(job: JobRun<Input>): Promise<JobOutput>;
}

/** Says which kind of job a {@link JobRunner} does. The class is a provider of a module that `JobKindsModule` imports. */
export const RunsJobs = Reflector.createDecorator<JobKind>();
