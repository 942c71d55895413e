import { Module } from '@nestjs/common';
import { DrainModule } from '../http/drain.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({
  imports: [DrainModule, RateLimitModule],
  controllers: [HealthController],
  providers: [Readiness],
})
export class HealthModule {}
