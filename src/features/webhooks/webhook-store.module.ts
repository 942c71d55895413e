import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookEntity } from './entities/webhook.entity.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Stored webhooks, for the API, for deliveries and for test receivers. */
@Module({
  imports: [TypeOrmModule.forFeature([WebhookEntity])],
  providers: [WebhooksRepository],
  exports: [WebhooksRepository],
})
export class WebhookStoreModule {}
