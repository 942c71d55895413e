import { Module } from '@nestjs/common';
import { QuotasRepository } from './quotas.repository.js';
import { ThresholdsService } from '../thresholds/thresholds.service.js';
import { QuotasService } from './quotas.service.js';

/** The quotas of plans and their thresholds, for the API, jobs and background tasks. */
@Module({
  providers: [QuotasService, QuotasRepository, ThresholdsService],
  exports: [QuotasService, QuotasRepository, ThresholdsService],
})
export class QuotasModule {}
