import { Module } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { DrainModule } from '../../../platform/http/drain.module.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { UsageTotalsModule } from '../../usage/totals/usage-totals.module.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { AttemptReport } from './attempt-report.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryPoller } from './delivery-poller.js';
import { DeliverySender } from './send-delivery.js';
import { DeliveryTransport } from './delivery-transport.js';
import { DeliveryWorker } from './delivery.worker.js';
import { DeliveryRepository } from './delivery.repository.js';
import { GuardedClient } from '../../../platform/network/guarded-client.js';

/** Sends pending deliveries to webhooks; part of the worker role. */
@Module({
  imports: [DrainModule, SecretsModule, UsageTotalsModule],
  providers: [
    DeliveryWorker,
    DeliveryPoller,
    { provide: ConcurrencyLimiter, useFactory: () => new ConcurrencyLimiter() },
    DeliveryRepository,
    DeliverySender,
    DeliveryTransport,
    {
      provide: GuardedClient,
      inject: [Config],
      useFactory: (config: Config) => new GuardedClient(config, config.webhookTimeLimitMs),
    },
    AttemptRecorder,
    AttemptReport,
    CircuitBreaker,
    DeliveryMetrics,
  ],
})
export class DeliveryModule {}
