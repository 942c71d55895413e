import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveryList } from './deliveries/delivery-list.js';
import { Redelivery } from './deliveries/redelivery.service.js';
import { TestDelivery } from './deliveries/test-delivery.service.js';
import { SecretRotation } from './secret-rotation.service.js';
import { WebhookChangesController } from './webhook-changes.controller.js';
import { WebhookChanges } from './webhook-changes.service.js';
import { UsageModule } from '../usage/usage.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [SecretsModule, UsageModule],
  controllers: [WebhooksController, WebhookChangesController, DeliveriesController],
  providers: [
    WebhooksService,
    WebhookChanges,
    SecretRotation,
    DeliveryList,
    Redelivery,
    TestDelivery,
  ],
})
export class WebhooksModule {}
