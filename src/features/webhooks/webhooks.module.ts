import { Module } from '@nestjs/common';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { UsageModule } from '../usage/usage.module.js';
import {
  AllDeliveriesController,
  DeliveriesController,
} from './deliveries/deliveries.controller.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { ReceiverUrls } from './local-receivers.js';
import { SecretRotation } from './secret-rotation.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [SecretsModule, UsageModule],
  controllers: [WebhooksController, DeliveriesController, AllDeliveriesController],
  providers: [WebhooksService, SecretRotation, DeliveriesService, ReceiverUrls],
})
export class WebhooksModule {}
