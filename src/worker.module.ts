import { Module, type DynamicModule } from '@nestjs/common';
import { AutoEnhance } from './analysis/auto-enhance.js';
import { ReservationExpiry } from './analysis/providers/model/reservation-expiry.js';
import { BackgroundTasks } from './background/background-tasks.js';
import { DatabaseClock } from './background/database-clock.js';
import { ReceiverRetention } from './dashboard/receivers/receiver-retention.js';
import { TestReceiversModule } from './dashboard/receivers/test-receivers.module.js';
import { TrashRetention } from './documents/trash-retention.js';
import { EventRetention } from './events/event-retention.js';
import { RedactionPurge } from './events/redaction.js';
import { IdempotencyRecordRetention } from './idempotency/idempotency-record-retention.js';
import { FileRetention, JobRetention } from './jobs/job-retention.js';
import { JobWorkerModule } from './jobs/worker/job-worker.module.js';
import { JobKindsModule } from './job-kinds.module.js';
import { AccountRemoval } from './members/account-removal.js';
import { RequestLogRetention } from './requests/request-log-retention.js';
import { TextIndexer } from './search/text-indexer.js';
import { SessionRetention } from './sessions/session-retention.js';
import type { ThreadModule } from './threads/thread-task.js';
import { TotalsRetention } from './usage/totals/totals-retention.js';
import { DeliveryModule } from './webhooks/delivery/delivery.module.js';

/** What workers do over and over; each says by `@RunsInBackground` how often. */
const BACKGROUND_TASKS = [
  DatabaseClock,
  EventRetention,
  IdempotencyRecordRetention,
  TrashRetention,
  RedactionPurge,
  JobRetention,
  FileRetention,
  RequestLogRetention,
  TotalsRetention,
  TextIndexer,
  AutoEnhance,
  ReservationExpiry,
  ReceiverRetention,
  AccountRemoval,
  SessionRetention,
];

/** The background: what the worker role does. */
@Module({
  imports: [DeliveryModule, JobKindsModule, TestReceiversModule],
  providers: [BackgroundTasks, ...BACKGROUND_TASKS],
})
export class WorkerModule {
  /** `jobThread` is what threads of jobs run; without it all jobs are done on this thread (tests). */
  static of(jobThread?: ThreadModule): DynamicModule {
    return { module: WorkerModule, imports: [JobWorkerModule.of(jobThread)] };
  }
}
