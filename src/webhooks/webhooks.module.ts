import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [SecretsModule, UsageModule],
  controllers: [WebhooksController],
  providers: [WebhooksService],
})
export class WebhooksModule {}
