import { Module } from '@nestjs/common';
import { LongTextsService } from '../content/long-texts/long-texts.service.js';
import { QuotasModule } from '../usage/quotas/quotas.module.js';
import { ChangeMergingService } from './changes/change-merging.service.js';
import { DocumentChangesService } from './changes/document-changes.service.js';
import { DocumentStoreModule } from './document-store.module.js';
import { PublicationsService } from './publishing/publications.service.js';
import { PublishingService } from './publishing/publishing.service.js';

/** Changes documents and publishes them, for the API and background tasks. */
@Module({
  imports: [DocumentStoreModule, QuotasModule],
  providers: [
    ChangeMergingService,
    DocumentChangesService,
    LongTextsService,
    PublicationsService,
    PublishingService,
  ],
  exports: [
    ChangeMergingService,
    DocumentChangesService,
    DocumentStoreModule,
    LongTextsService,
    PublishingService,
  ],
})
export class DocumentChangesModule {}
