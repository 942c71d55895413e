import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DocumentChangesModule } from '../documents/document-changes.module.js';
import { ReleaseEntity, ReleaseItemEntity } from './entities/releases.entities.js';
import { ReleasePublishingService } from './release-publishing.service.js';
import { ReleasesRepository } from './releases.repository.js';

/** Stores releases and publishes them, for the API and background tasks. */
@Module({
  imports: [TypeOrmModule.forFeature([ReleaseEntity, ReleaseItemEntity]), DocumentChangesModule],
  providers: [ReleasePublishingService, ReleasesRepository],
  exports: [DocumentChangesModule, ReleasePublishingService, ReleasesRepository],
})
export class ReleaseStoreModule {}
