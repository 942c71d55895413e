import { Module } from '@nestjs/common';
import { QuotasRepository } from './quotas.repository.js';
import { QuotasService } from './quotas.service.js';

/** The quotas of plans, for the API, jobs and background tasks. */
@Module({
  providers: [QuotasService, QuotasRepository],
  exports: [QuotasService, QuotasRepository],
})
export class QuotasModule {}
