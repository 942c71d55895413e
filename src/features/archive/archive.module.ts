import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { ArchiveUpload } from './archive-upload.js';
import { ArchiveRepository } from './archive.repository.js';
import { ArchiveController } from './archive.controller.js';
import { ArchiveService } from './archive.service.js';

@Module({
  imports: [JobsModule, UsageModule],
  controllers: [ArchiveController],
  providers: [ArchiveService, ArchiveRepository, ArchiveUpload],
})
export class ArchiveModule {}
