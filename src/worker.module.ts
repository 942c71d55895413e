import { Module, type DynamicModule } from '@nestjs/common';
import { DatabaseClock } from './background/database-clock.js';
import { HourlyPurges } from './background/hourly-purges.js';
import { PURGES, type Purge } from './background/purge.js';
import { TrashRetention } from './documents/trash-retention.js';
import { EventRetention } from './events/event-retention.js';
import { RemovedTexts } from './events/removed-texts.js';
import { OutcomeRetention } from './idempotency/outcome-retention.js';
import { DeliveryModule } from './webhooks/delivery/delivery.module.js';
import { JobRunnersModule } from './job-runners.module.js';
import { FileRetention } from './jobs/files/file-retention.js';
import { JobRetention } from './jobs/job-retention.js';
import { JobWorkerModule } from './jobs/worker/job-worker.module.js';
import { TextIndexer } from './search/text-indexer.js';

const ALL_PURGES = [
  EventRetention,
  OutcomeRetention,
  TrashRetention,
  RemovedTexts,
  JobRetention,
  FileRetention,
];

/** The background: what the worker role does. */
@Module({
  imports: [DeliveryModule],
  providers: [
    ...ALL_PURGES,
    { provide: PURGES, inject: ALL_PURGES, useFactory: (...purges: Purge[]) => purges },
    HourlyPurges,
    DatabaseClock,
    TextIndexer,
  ],
})
export class WorkerModule {
  /** `jobThread` is the program of a thread that does one job; without it jobs are done on this thread (tests). */
  static of(jobThread?: URL): DynamicModule {
    return { module: WorkerModule, imports: [JobWorkerModule.of(jobThread, JobRunnersModule)] };
  }
}
