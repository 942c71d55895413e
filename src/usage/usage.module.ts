import { Module } from '@nestjs/common';
import { Quotas } from './quotas.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  controllers: [UsageController],
  providers: [UsageService, Quotas],
  exports: [Quotas],
})
export class UsageModule {}
