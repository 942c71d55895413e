import { Module } from '@nestjs/common';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { QuotasModule } from './quotas/quotas.module.js';
import { UsageTotalsRepository } from './totals/usage-totals.repository.js';
import { UsageSeriesService } from './series/usage-series.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [QuotasModule, RateLimitModule],
  controllers: [UsageController],
  providers: [UsageService, UsageSeriesService, UsageTotalsRepository],
  exports: [QuotasModule],
})
export class UsageModule {}
