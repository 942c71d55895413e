import { Module } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { DrainModule } from '../../http/drain.module.js';
import { SecretsModule } from '../../secrets/secrets.module.js';
import { AttemptRecords } from './attempt-records.js';
import { AttemptReports } from './attempt-reports.js';
import { ClaimedDeliveries } from './claimed-deliveries.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryIntake } from './delivery-intake.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryRequests } from './delivery-request.js';
import { DeliveryWorker } from './delivery-worker.js';
import { DueWebhooks } from './due-webhooks.js';
import { ReceiverClient } from './receiver-client.js';
import { ReceiverHealth } from './receiver-health.js';
import { Settlements } from './settlements.js';
import { Slots } from './slots.js';
import { UnowedDeliveries } from './unowed-deliveries.js';
import { WebhookDisabling } from './webhook-disabling.js';

/** Sends what is owed to webhooks; part of the worker role. */
@Module({
  imports: [DrainModule, SecretsModule],
  providers: [
    DeliveryWorker,
    DeliveryIntake,
    DueWebhooks,
    { provide: Slots, useFactory: () => new Slots() },
    ClaimedDeliveries,
    UnowedDeliveries,
    DeliveryAttempts,
    DeliveryRequests,
    {
      provide: ReceiverClient,
      inject: [Config],
      useFactory: (config: Config) => new ReceiverClient(config, config.webhookTimeLimitMs),
    },
    AttemptRecords,
    Settlements,
    ReceiverHealth,
    WebhookDisabling,
    AttemptReports,
    DeliveryMetrics,
  ],
})
export class DeliveryModule {}
