import { Module } from '@nestjs/common';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { StarterOffer } from '../templates/starters/starter-templates.js';
import { Quotas } from '../usage/quotas/quotas.js';
import { AccountExport } from './account-export.js';
import { AccountImport } from './import/account-import.js';

/** Registers the export and import jobs. */
@Module({
  imports: [StoredFilesModule],
  providers: [AccountExport, AccountImport, Quotas, StarterOffer],
})
export class ArchiveJobsModule {}
