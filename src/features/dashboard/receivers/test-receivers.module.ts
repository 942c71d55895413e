import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { AccountsModule } from '../../auth/accounts/accounts.module.js';
import { LocalReceivers } from '../../webhooks/settings/local-receivers.js';
import { WebhookStoreModule } from '../../webhooks/webhook-store.module.js';
import { WebhookSecretsService } from '../../webhooks/signing/webhook-secrets.service.js';
import { TestReceiverEntity } from './entities/test-receiver.entity.js';
import { ReceivedDeliveriesRepository } from './received-deliveries.repository.js';
import { TestReceiversService } from './test-receivers.service.js';

/** Global, so that webhooks can inject LocalReceivers. The webhooks feature must not import the dashboard. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([TestReceiverEntity]),
    AccountsModule,
    SecretsModule,
    WebhookStoreModule,
  ],
  providers: [
    ReceivedDeliveriesRepository,
    TestReceiversService,
    WebhookSecretsService,
    { provide: LocalReceivers, useExisting: TestReceiversService },
  ],
  exports: [TestReceiversService, LocalReceivers],
})
export class TestReceiversModule {}
