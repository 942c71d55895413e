import { Module } from '@nestjs/common';
import { JobGaugesModule } from './queue/job-gauges.js';
import { JobQueue } from './queue/job-queue.js';
import { JobRegistryModule } from './queue/job-registry.js';
import { JobRepository } from './job.repository.js';
import { JobResults } from './queue/job-results.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';
import { StoredFilesModule } from './stored-files.repository.js';

@Module({
  imports: [JobGaugesModule, JobRegistryModule, StoredFilesModule],
  controllers: [JobsController],
  providers: [JobQueue, JobRepository, JobsService, JobResults],
  exports: [JobQueue, StoredFilesModule],
})
export class JobsModule {}
