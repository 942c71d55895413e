import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { QuotasModule } from './quotas/quotas.module.js';
import { UsageTotalsRepository } from './totals/usage-totals.repository.js';
import { UsageSeriesService } from './series/usage-series.service.js';
import { RequestThresholds } from './thresholds/request-thresholds.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [QuotasModule, RateLimitModule, TypeOrmModule.forFeature([ApiKeyEntity])],
  controllers: [UsageController],
  providers: [RequestThresholds, UsageService, UsageSeriesService, UsageTotalsRepository],
  exports: [QuotasModule],
})
export class UsageModule {}
