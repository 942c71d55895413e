import type { MessagePort } from 'node:worker_threads';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { ClockModule } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import { type Config, ConfigModule } from '../../../platform/config/config.js';
import type { Schema } from '../../../platform/database/pools.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { createLog, LogModule } from '../../../platform/operation/log.js';
import type { Progress } from '../job.js';
import { JobExecution, JobExecutionModule, type CheckedJob } from './job-execution.js';

const PROGRESS_EVERY_MS = 250;

/** Message to a thread for each job. */
export interface JobTask {
  job: CheckedJob;
  config: Omit<Config, 'secretsKey' | 'previousSecretsKeys'>;
  /** Receives {@link Progress}, and sends a message to abort the job. */
  port: MessagePort;
}

export interface JobTaskResult {
  /** An error of the job. Thrown errors mean that the thread crashed. */
  error?: { message: string; stack: string | undefined };
}

/**
 * Returns a function that runs one job at a time with the runners of `kinds`. Its first call starts a Nest application.
 * Throws each `AppError` of a job; `threadTask` passes it on.
 */
export function jobThreadTask(
  kinds: Type,
  schema: Schema,
): (task: JobTask) => Promise<JobTaskResult> {
  let started: Promise<INestApplicationContext> | undefined;
  return async ({ job, config, port }) => {
    const aborting = new AbortController();
    port.once('message', () => {
      aborting.abort();
    });
    try {
      started ??= start(kinds, schema, config as Config);
      const execution = (await started).get(JobExecution, { strict: false });
      await execution.execute(job, aborting.signal, throttled(port));
      return {};
    } catch (error) {
      const known = asUnavailable(error) ?? error;
      if (known instanceof AppError) throw known;
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      return { error: { message, stack } };
    } finally {
      if (started && (await hasFailed(started))) started = undefined;
      port.close();
    }
  };
}

function start(kinds: Type, schema: Schema, config: Config): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    {
      module: class JobThread {},
      imports: [
        ConfigModule.forRoot(config),
        ClockModule,
        LogModule.forRoot(createLog(config.logLevel)),
        DatabaseModule.forJob(schema),
        JobExecutionModule,
        kinds,
      ],
    },
    { logger: false, abortOnError: false },
  );
}

function hasFailed(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => false,
    () => true,
  );
}

/** Limits the rate of messages, because each one wakes the other thread. */
function throttled(port: MessagePort): (progress: Progress) => void {
  let sentAt = -Infinity;
  return (progress) => {
    if (performance.now() - sentAt < PROGRESS_EVERY_MS) return;
    sentAt = performance.now();
    port.postMessage(progress);
  };
}
