import { Module } from '@nestjs/common';
import { Quotas } from './quotas.js';
import { UsageSeriesController } from './series/usage-series.controller.js';
import { UsageSeriesService } from './series/usage-series.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  controllers: [UsageController, UsageSeriesController],
  providers: [UsageService, UsageSeriesService, Quotas],
  exports: [Quotas],
})
export class UsageModule {}
