import type { MessagePort } from 'node:worker_threads';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { ClockModule } from '../../../platform/basics/clock/clock.js';
import { type Config, ConfigModule } from '../../../platform/config/config.js';
import type { Schema } from '../../../platform/database/pools.js';
import { JobDatabaseModule } from '../../../platform/database/database.module.js';
import { createLog, LogModule } from '../../../platform/operation/log.js';
import type { Progress } from '../job.js';
import { JobExecution, JobExecutionModule, type CheckedJob } from './job-execution.js';
import { serializeError, type SerializedError } from './serialized-error.js';

const PROGRESS_EVERY_MS = 250;

/** What a thread is sent for each job. */
export interface JobTask {
  job: CheckedJob;
  config: Omit<Config, 'secretsKey' | 'previousSecretsKeys'>;
  /** Takes {@link Progress}, and says when the job is cut. */
  port: MessagePort;
}

export interface JobTaskResult {
  error?: SerializedError;
}

/** Does one job after the other by the runners of `kinds`. The first one starts the application of the thread. */
export function jobThreadTask(
  kinds: Type,
  schema: Schema,
): (task: JobTask) => Promise<JobTaskResult> {
  let started: Promise<INestApplicationContext> | undefined;
  return async ({ job, config, port }) => {
    const cutting = new AbortController();
    port.once('message', () => {
      cutting.abort();
    });
    try {
      started ??= start(kinds, schema, config as Config);
      const execution = (await started).get(JobExecution, { strict: false });
      await execution.execute(job, cutting.signal, throttled(port));
      return {};
    } catch (error) {
      return { error: serializeError(error) };
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
        ConfigModule.of(config),
        ClockModule,
        LogModule.of(createLog(config.logLevel)),
        JobDatabaseModule.for(config, schema),
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

/** Tells progress now and then: each message wakes the other thread. */
function throttled(port: MessagePort): (progress: Progress) => void {
  let toldAt = -Infinity;
  return (progress) => {
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) return;
    toldAt = performance.now();
    port.postMessage(progress);
  };
}
