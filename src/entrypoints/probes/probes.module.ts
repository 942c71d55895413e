import { Module } from '@nestjs/common';
import { DrainModule } from '../../platform/http/server/drain.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { Readiness } from './readiness.js';

@Module({
  imports: [DrainModule],
  controllers: [HealthController, MetricsController],
  providers: [Readiness],
})
export class ProbesModule {}
