import { Module } from '@nestjs/common';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { TemplateStoreModule } from '../templates/template-store.module.js';
import { QuotasModule } from '../usage/quotas/quotas.module.js';
import { ArchiveStoreModule } from './archive.repository.js';
import { AccountExport } from './account-export.js';
import { AccountImport } from './import/account-import.js';

/** Registers the export and import jobs. */
@Module({
  imports: [ArchiveStoreModule, QuotasModule, StoredFilesModule, TemplateStoreModule],
  providers: [AccountExport, AccountImport],
})
export class ArchiveJobsModule {}
