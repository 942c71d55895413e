import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../../documents/document-store.module.js';
import { JobQueueModule } from '../../jobs/queue/job-queue.js';
import { StoredFilesModule } from '../../jobs/stored-files.repository.js';
import { QuotasModule } from '../../usage/quotas/quotas.module.js';
import { AnalysisOrdersService } from '../analyses/analysis-orders.service.js';
import { AccountRulesModule } from '../settings/account-rules.module.js';
import { AnalysisPublicationCheck } from './analysis-publication-check.service.js';
import { PublicationEvidenceRepository } from './publication-evidence.repository.js';

/** Orders analyses, and checks them before documents are published, for the API and background tasks. */
@Module({
  imports: [
    AccountRulesModule,
    DocumentStoreModule,
    JobQueueModule,
    QuotasModule,
    StoredFilesModule,
  ],
  providers: [AnalysisOrdersService, AnalysisPublicationCheck, PublicationEvidenceRepository],
  exports: [AnalysisOrdersService],
})
export class AnalysisPublicationModule {}
