import { Module } from '@nestjs/common';
import { BackgroundWorkModule } from '../../../platform/background/background-work.js';
import { Config } from '../../../platform/config/config.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { UsageTotalsModule } from '../../usage/totals/usage-totals.js';
import { WebhookStoreModule } from '../webhook-store.module.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { DeliveryGaugesModule } from './delivery-gauges.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryRepository } from './delivery.repository.js';
import { DeliveryPoller, DeliveryWorker } from './delivery.worker.js';
import { DeliverySender, ReceiverClient } from './send-delivery.js';

/** Sends pending deliveries to webhooks. Part of the worker role. */
@Module({
  imports: [
    BackgroundWorkModule,
    DeliveryGaugesModule,
    SecretsModule,
    UsageTotalsModule,
    WebhookStoreModule,
  ],
  providers: [
    DeliveryWorker,
    DeliveryPoller,
    { provide: ConcurrencyLimiter, useFactory: () => new ConcurrencyLimiter() },
    DeliveryRepository,
    DeliverySender,
    {
      provide: ReceiverClient,
      inject: [Config],
      useFactory: (config: Config) => new ReceiverClient(config, config.webhookTimeLimitMs),
    },
    DeliveryMetrics,
  ],
})
export class DeliveryModule {}
