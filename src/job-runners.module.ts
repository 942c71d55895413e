import { Module } from '@nestjs/common';
import { AccountExport } from './archive/account-export.js';
import { AccountImport } from './archive/account-import.js';
import { ConversionModule } from './conversion/conversion.module.js';
import { DocumentExport } from './documents/files/document-export.js';
import { StoredFiles } from './jobs/files/stored-files.js';
import { JOB_RUNNERS, type JobRunner } from './jobs/job-runner.js';
import { DirectExecution, JobExecution } from './jobs/worker/job-execution.js';
import { StarterOffer } from './templates/starter-offer.js';
import { Quotas } from './usage/quotas.js';
import { JobSuccesses } from './jobs/worker/job-successes.js';

const ALL_RUNNERS = [DocumentExport, AccountExport, AccountImport];

/** Who does which kind of job. */
@Module({
  imports: [ConversionModule],
  providers: [
    ...ALL_RUNNERS,
    { provide: JOB_RUNNERS, inject: ALL_RUNNERS, useFactory: (...runners: JobRunner[]) => runners },
    StoredFiles,
    Quotas,
    StarterOffer,
    JobSuccesses,
    { provide: JobExecution, useClass: DirectExecution },
  ],
  exports: [JobExecution],
})
export class JobRunnersModule {}
