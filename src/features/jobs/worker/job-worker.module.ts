import { Module, type DynamicModule } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { DrainModule } from '../../../platform/http/server/drain.js';
import type { ThreadModule } from '../../../platform/threads/thread-task.js';
import { JobRegistry } from '../job-registry.js';
import { JobAttempts } from './job-attempts.js';
import { JobExecutionModule } from './job-execution.js';
import { JobMetrics } from './job-metrics.js';
import { JobThreads } from './job-threads.js';
import { JobWorker } from './job-worker.js';

/** Does jobs; part of the worker role. */
@Module({
  imports: [DrainModule, JobExecutionModule],
  providers: [JobWorker, JobAttempts, JobMetrics],
})
export class JobWorkerModule {
  /** `thread` is what threads of jobs run; without it all jobs are done on this thread (tests). */
  static of(thread: ThreadModule | undefined): DynamicModule {
    const threads = {
      provide: JobThreads,
      inject: [Config, JobRegistry],
      useFactory: (config: Config, registry: JobRegistry) =>
        new JobThreads(thread, config, registry),
    };
    return { module: JobWorkerModule, providers: [threads] };
  }
}
