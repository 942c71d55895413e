import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { ifReadable } from './webhook-secret.js';

/** Looks up the secrets that sign deliveries to a URL. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Returns the secrets of all webhooks of the account with this URL, including those of an overlapping rotation. */
  async findByUrl(accountId: string, url: string): Promise<string[]> {
    const now = this.clock.now();
    const webhooks = await this.webhooks.findBy({ accountId, url });
    return webhooks.flatMap((webhook) => {
      const { id, secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt } = webhook;
      const overlaps = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
      const records = [secretEncrypted, overlaps ? previousSecretEncrypted : null];
      return records.flatMap((record) => {
        const secret = record && ifReadable(() => this.secretBox.open(record, id));
        return secret == null ? [] : [secret];
      });
    });
  }
}
