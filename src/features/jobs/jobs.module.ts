import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { JobGaugesModule } from './queue/job-gauges.js';
import { JobQueueModule } from './queue/job-queue.js';
import { JobRegistryModule } from './queue/job-registry.js';
import { JobResults } from './queue/job-results.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';
import { StoredFilesModule } from './stored-files.repository.js';

@Module({
  imports: [AuthModule, JobGaugesModule, JobQueueModule, JobRegistryModule, StoredFilesModule],
  controllers: [JobsController],
  providers: [JobsService, JobResults],
  exports: [JobQueueModule, StoredFilesModule],
})
export class JobsModule {}
