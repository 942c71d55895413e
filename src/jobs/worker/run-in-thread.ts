import { parentPort, workerData } from 'node:worker_threads';
import { NestFactory } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import { ClockModule } from '../../clock/clock.module.js';
import type { Config } from '../../config/config.js';
import { ConfigModule } from '../../config/config.module.js';
import { JobDatabaseModule } from '../../database/job-database.module.js';
import { createLog, flushLog } from '../../log/log.js';
import { LogModule } from '../../log/log.module.js';
import type { Progress } from '../job-runner.js';
import { JobExecution } from './job-execution.js';
import type { ThreadData, ThreadMessage } from './job-threads.js';
import { toldError } from './told-error.js';

const PROGRESS_EVERY_MS = 250;

/** The program of a thread: does its one job by the runners of `execution`, tells how it ended, and ends. */
export async function runInThread(execution: Type): Promise<void> {
  const { job, config: settings } = workerData as ThreadData;
  const config = settings as Config;
  const log = createLog(config.logLevel);
  const cutting = new AbortController();
  parentPort?.once('message', () => {
    cutting.abort();
  });
  try {
    const app = await NestFactory.createApplicationContext(
      {
        module: class JobThread {},
        imports: [
          ConfigModule.of(config),
          ClockModule,
          LogModule.of(log),
          JobDatabaseModule.for(config),
          execution,
        ],
      },
      { logger: false, abortOnError: false },
    );
    try {
      await app.get(JobExecution, { strict: false }).execute(job, cutting.signal, throttled());
    } finally {
      await app.close();
    }
    tell({ ended: 'succeeded' });
  } catch (error) {
    tell({ ended: toldError(error) });
  }
  await flushLog(log);
  parentPort?.close();
}

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

/** Tells progress now and then: each message wakes the other thread. */
function throttled(): (progress: Progress) => void {
  let told = -Infinity;
  return (progress) => {
    if (performance.now() - told < PROGRESS_EVERY_MS) return;
    told = performance.now();
    tell({ progress });
  };
}
