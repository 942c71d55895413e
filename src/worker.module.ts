import { Module, type DynamicModule } from '@nestjs/common';
import { AnalysisJobsModule } from './features/analysis/analysis-jobs.module.js';
import { EnhancementOrdersService } from './features/analysis/enhancements/enhancements.service.js';
import { CollectionRetention } from './features/collections/collection-retention.js';
import { CollectionStoreModule } from './features/collections/collection-store.module.js';
import { DocumentStoreModule } from './features/documents/document-store.module.js';
import { PresenceRepository } from './features/documents/presence/presence.repository.js';
import { SearchIndexRepository } from './features/search/indexing/search-index.repository.js';
import { QuotasModule } from './features/usage/quotas/quotas.module.js';
import { AutoEnhance } from './features/analysis/enhancements/auto-enhance.js';
import { AnalysisPublicationModule } from './features/analysis/publication/analysis-publication.module.js';
import { EngineWarmUpModule } from './features/analysis/providers/offline/engine-warm-up.js';
import { ReservationExpiry } from './features/analysis/providers/model/token-budget.service.js';
import { AccountRulesModule } from './features/analysis/settings/account-rules.module.js';
import { BackgroundTasks } from './platform/background/background-tasks.js';
import { BackgroundWorkModule } from './platform/background/background-work.js';
import { ReceiverRetention } from './features/dashboard/receivers/test-receivers.service.js';
import { TestReceiversModule } from './features/dashboard/receivers/test-receivers.module.js';
import { SEARCHED_DOCUMENT_FIELDS } from './features/documents/model/document-fields.js';
import { SEARCHED_FIELDS } from './features/search/indexing/index-entry.js';
import { PublishingSettlement } from './features/documents/publishing/publishing-settlement.js';
import { TrashRetention } from './features/documents/changes/document-trash.service.js';
import { PresenceRetention } from './features/documents/presence/presence-retention.js';
import { EventRetention, RedactionPurge } from './features/events/event-retention.js';
import { IdempotencyRecordRetention } from './features/idempotency/idempotency-record.repository.js';
import { JobRetention } from './features/jobs/job.repository.js';
import { FileRetention } from './features/jobs/stored-files.repository.js';
import { JobQueueModule } from './features/jobs/queue/job-queue.js';
import { JobWorkerModule } from './features/jobs/worker/job-worker.js';
import { JobKindsModule } from './job-kinds.module.js';
import { KeyStoreModule } from './features/keys/key-store.module.js';
import { OAuthRetention } from './features/oauth/oauth-retention.js';
import { AccountRemoval } from './features/people/members/account/deleted-accounts.repository.js';
import { ReleaseChecks } from './features/releases/release-checks.js';
import { ReleaseExecution } from './features/releases/release-execution.js';
import { ReleaseRetention } from './features/releases/release-retention.js';
import { ReleaseStoreModule } from './features/releases/release-store.module.js';
import { RequestLogRetention } from './features/request-log/requests.repository.js';
import { RateLimitRetention } from './features/rate-limit/rate-limit-retention.js';
import { TextIndexer } from './features/search/indexing/text-indexer.js';
import { SessionRetention } from './features/people/sessions/session/sessions.repository.js';
import type { ThreadModule } from './platform/threads/thread-task.js';
import { TotalsRetention } from './features/usage/totals/usage-totals.repository.js';
import { DeliveryModule } from './features/webhooks/delivery/delivery.module.js';

/** Periodic tasks of workers; `@RunsInBackground` sets their intervals. */
const BACKGROUND_TASKS = [
  EventRetention,
  IdempotencyRecordRetention,
  TrashRetention,
  CollectionRetention,
  PresenceRetention,
  PublishingSettlement,
  ReleaseChecks,
  ReleaseExecution,
  ReleaseRetention,
  RedactionPurge,
  JobRetention,
  FileRetention,
  RequestLogRetention,
  TotalsRetention,
  RateLimitRetention,
  TextIndexer,
  AutoEnhance,
  ReservationExpiry,
  ReceiverRetention,
  AccountRemoval,
  SessionRetention,
  OAuthRetention,
];

@Module({
  imports: [
    AccountRulesModule,
    AnalysisJobsModule,
    AnalysisPublicationModule,
    BackgroundWorkModule,
    CollectionStoreModule,
    DocumentStoreModule,
    JobKindsModule,
    JobQueueModule,
    KeyStoreModule,
    QuotasModule,
    ReleaseStoreModule,
    TestReceiversModule,
  ],
  providers: [
    BackgroundTasks,
    EnhancementOrdersService,
    PresenceRepository,
    SearchIndexRepository,
    { provide: SEARCHED_FIELDS, useValue: SEARCHED_DOCUMENT_FIELDS },
    ...BACKGROUND_TASKS,
  ],
})
export class BackgroundTasksModule {}

@Module({ imports: [DeliveryModule, BackgroundTasksModule, EngineWarmUpModule] })
export class WorkerModule {
  /** Jobs run in threads that run `jobThread`. Without it, all jobs run on this thread (in tests). */
  static forRoot(jobThread?: ThreadModule): DynamicModule {
    return { module: WorkerModule, imports: [JobWorkerModule.forRoot(jobThread)] };
  }
}
