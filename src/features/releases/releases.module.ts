import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DocumentSchedulesController } from './document-schedules.controller.js';
import { DocumentSchedulesService } from './document-schedules.service.js';
import { ReleaseItemsService } from './release-items.service.js';
import { ReleasePreviewsService } from './release-previews.service.js';
import { ReleaseStoreModule } from './release-store.module.js';
import { ReleasesController } from './releases.controller.js';
import { ReleasesService } from './releases.service.js';

@Module({
  imports: [AuthModule, ReleaseStoreModule],
  controllers: [ReleasesController, DocumentSchedulesController],
  providers: [
    DocumentSchedulesService,
    ReleaseItemsService,
    ReleasePreviewsService,
    ReleasesService,
  ],
})
export class ReleasesModule {}
