import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { AccountsModule } from '../../auth/accounts/accounts.module.js';
import { LocalReceivers } from '../../webhooks/settings/local-receivers.js';
import { WebhookStoreModule } from '../../webhooks/webhook-store.module.js';
import { WebhookSecrets } from '../../webhooks/signing/webhook-secrets.js';
import { TestReceiverEntity } from './entities/test-receiver.entity.js';
import { TestReceivers } from './test-receivers.service.js';

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
    TestReceivers,
    WebhookSecrets,
    { provide: LocalReceivers, useExisting: TestReceivers },
  ],
  exports: [TestReceivers, LocalReceivers],
})
export class TestReceiversModule {}
