import { Global, Module } from '@nestjs/common';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { LocalReceivers } from '../../webhooks/settings/local-receivers.js';
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js';
import { WebhookSecrets } from '../../webhooks/signing/webhook-secrets.js';
import { TestReceivers } from './test-receivers.service.js';

/** Global, because webhooks, which know nothing of the dashboard, ask for receivers of the service itself. */
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
