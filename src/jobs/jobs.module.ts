import { Module } from '@nestjs/common';
import { StoredFiles } from './files/stored-files.js';
import { JobCancelling } from './job-cancelling.js';
import { JobList } from './job-list.js';
import { JobQueue } from './job-queue.js';
import { JobResults } from './job-results.js';
import { JobsController } from './jobs.controller.js';

@Module({
  controllers: [JobsController],
  providers: [JobQueue, JobList, JobCancelling, JobResults, StoredFiles],
  exports: [JobQueue, StoredFiles],
})
export class JobsModule {}
