import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { UsageModule } from '../usage/usage.module.js';
import {
  AllDeliveriesController,
  DeliveriesController,
} from './delivery-log/deliveries.controller.js';
import { DeliveriesService } from './delivery-log/deliveries.service.js';
import { WebhookDeliveryEntity } from './entities/webhook-delivery.entity.js';
import { DeliveryGaugesModule } from './delivery/delivery-gauges.js';
import { ReceiverUrlsService } from './settings/local-receivers.js';
import { SecretRotationService } from './signing/secret-rotation.service.js';
import { DeliveryLogRepository } from './delivery-log/delivery-log.repository.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhookStoreModule } from './webhook-store.module.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [
    AuthModule,
    TypeOrmModule.forFeature([WebhookDeliveryEntity]),
    DeliveryGaugesModule,
    SecretsModule,
    UsageModule,
    WebhookStoreModule,
  ],
  controllers: [WebhooksController, DeliveriesController, AllDeliveriesController],
  providers: [
    WebhooksService,
    SecretRotationService,
    DeliveriesService,
    DeliveryLogRepository,
    ReceiverUrlsService,
  ],
})
export class WebhooksModule {}
