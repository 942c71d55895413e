import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { DrainModule } from '../../http/drain.module.js';
import { JobAttempts } from './job-attempts.js';
import { JobClaims } from './job-claims.js';
import { JobExecution } from './job-execution.js';
import { JobThreads } from './job-threads.js';
import { JobWorker } from './job-worker.js';

/** Does jobs; part of the worker role. */
@Module({ imports: [DrainModule], providers: [JobWorker, JobAttempts, JobClaims] })
export class JobWorkerModule {
  /** Each job in a thread that runs `program`; on this thread, by `runners`, where there is none (tests). */
  static of(program: URL | undefined, runners: Type): DynamicModule {
    if (!program) return { module: JobWorkerModule, imports: [runners] };
    const threads = {
      provide: JobExecution,
      inject: [Config],
      useFactory: (config: Config) => new JobThreads(program, config),
    };
    return { module: JobWorkerModule, providers: [threads] };
  }
}
