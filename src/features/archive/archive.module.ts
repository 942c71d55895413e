import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { ArchiveUpload } from './archive-upload.js';
import { ArchiveStoreModule } from './archive.repository.js';
import { ArchiveController } from './archive.controller.js';
import { ArchiveService } from './archive.service.js';

@Module({
  imports: [ArchiveStoreModule, JobsModule, UsageModule],
  controllers: [ArchiveController],
  providers: [ArchiveService, ArchiveUpload],
})
export class ArchiveModule {}
