import { Module } from '@nestjs/common';
import { DrainModule } from '../../platform/http/server/drain.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [DrainModule],
  controllers: [HealthController, MetricsController],
  providers: [ReadinessService],
})
export class ProbesModule {}
