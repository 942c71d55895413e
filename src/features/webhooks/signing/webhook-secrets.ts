import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { SecretBox, SecretUnreadableError } from '../../../platform/secrets/secret-box.js';
import { WebhookEntity } from '../entities/webhook.entity.js';

/** The secrets that sign what is sent to a URL. */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Of all webhooks of the account that lead there, also those of a rotation that overlaps; empty where none does. */
  async of(accountId: string, url: string): Promise<string[]> {
    const now = this.clock.now();
    const webhooks = await this.database.repository(WebhookEntity).findBy({ accountId, url });
    return webhooks.flatMap((webhook) => {
      const { id, secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt } = webhook;
      const overlaps = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
      const records = [secretEncrypted, ...(overlaps ? [previousSecretEncrypted] : [])];
      return records.flatMap((record) => (record ? this.open(record, id) : []));
    });
  }

  private open(record: Buffer, id: string): string[] {
    try {
      return [this.secretBox.open(record, id)];
    } catch (error) {
      if (error instanceof SecretUnreadableError) return [];
      throw error;
    }
  }
}
