import { Module } from '@nestjs/common';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { TemplateStoreModule } from '../templates/template-store.module.js';
import { Quotas } from '../usage/quotas/quotas.js';
import { ArchiveStore } from './archive.repository.js';
import { AccountExport } from './account-export.js';
import { AccountImport } from './import/account-import.js';

/** Registers the export and import jobs. */
@Module({
  imports: [StoredFilesModule, TemplateStoreModule],
  providers: [ArchiveStore, AccountExport, AccountImport, Quotas],
})
export class ArchiveJobsModule {}
