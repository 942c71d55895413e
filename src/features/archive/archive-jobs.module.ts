import { Module } from '@nestjs/common';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { TemplateStoreModule } from '../templates/template-store.module.js';
import { QuotasModule } from '../usage/quotas/quotas.module.js';
import { ArchiveRepository } from './archive.repository.js';
import { AccountExport } from './account-export.js';
import { AccountImport } from './import/account-import.js';

/** Registers the export and import jobs. */
@Module({
  imports: [QuotasModule, StoredFilesModule, TemplateStoreModule],
  providers: [ArchiveRepository, AccountExport, AccountImport],
})
export class ArchiveJobsModule {}
