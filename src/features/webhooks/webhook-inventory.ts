import { Database } from '../../platform/database/database.js';
import { WebhookEntity } from './entities/webhook.entity.js';

/** The webhooks of all accounts: for the operator's command line only, never for a request. */
export class WebhookInventory {
  constructor(private readonly database: Database) {}

  /** Every webhook, or those of the account with this UUID, oldest first. */
  async list(accountId?: string): Promise<WebhookEntity[]> {
    return this.database.repository(WebhookEntity).find({
      where: accountId === undefined ? {} : { accountId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }
}
