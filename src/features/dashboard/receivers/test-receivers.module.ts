import { Global, Module } from '@nestjs/common';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { LocalReceivers } from '../../webhooks/settings/local-receivers.js';
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js';
import { WebhookSecrets } from '../../webhooks/signing/webhook-secrets.js';
import { TestReceivers } from './test-receivers.service.js';

/** Global, so that webhooks can inject LocalReceivers. The webhooks feature must not import the dashboard. */
@Global()
@Module({
  imports: [SecretsModule],
  providers: [
    TestReceivers,
    WebhookSecrets,
    WebhooksRepository,
    { provide: LocalReceivers, useExisting: TestReceivers },
  ],
  exports: [TestReceivers, LocalReceivers],
})
export class TestReceiversModule {}
