import { Module } from '@nestjs/common';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { Quotas } from './quotas/quotas.js';
import { UsageTotalsRepository } from './totals/usage-totals.repository.js';
import { UsageSeriesService } from './series/usage-series.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [RateLimitModule],
  controllers: [UsageController],
  providers: [UsageService, UsageSeriesService, UsageTotalsRepository, Quotas],
  exports: [Quotas],
})
export class UsageModule {}
