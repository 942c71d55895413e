import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database, type Statement } from '../database/database.js';
import { newUuid } from '../identifiers/identifiers.js';
import { STARTER_TEMPLATES } from './starter-templates.js';

/**
 * The row of `starter_offers` decides between requests that come together: one inserts it and the templates, the others
 * wait for that and insert none. The templates are as old as the account, so that they are not above its own in lists.
 */
const OFFER: Statement = {
  name: 'templates.offer-starters',
  text: `WITH offered AS (
      INSERT INTO starter_offers (account_id, offered_at)
      SELECT id, $2 FROM accounts WHERE id = $1
      ON CONFLICT (account_id) DO NOTHING RETURNING account_id
    ), starter AS MATERIALIZED (
      SELECT starter.*, account.id AS account_id, account.created_at
        FROM offered
        JOIN accounts AS account ON account.id = offered.account_id
       CROSS JOIN json_to_recordset($3::json) AS starter (
         id uuid, version_id uuid, name text, description text, type text, title text, content text, variables json,
         metadata text, "aiSettings" text)
    ), made AS (
      INSERT INTO templates (id, account_id, name, description, type, title, content, variables, metadata, ai_settings,
                             version, created_at, updated_at)
      SELECT id, account_id, name, description, type, title, content, variables, metadata, "aiSettings",
             1, created_at, created_at
        FROM starter
      RETURNING id
    )
    INSERT INTO template_versions (id, template_id, number, account_id, name, description, type, title, content,
                                   variables, metadata, ai_settings, changes, created_at)
    SELECT version_id, starter.id, 1, account_id, name, description, type, title, content, variables, metadata,
           "aiSettings", '{}', created_at
      FROM starter JOIN made ON made.id = starter.id`,
};

const MAX_REMEMBERED = 10_000;

/**
 * Gives each account the starter templates once, when its templates are first listed: accounts are made by `auth`, which
 * knows no templates, and many were made before there were any.
 */
@Injectable()
export class StarterOffer {
  /** Accounts that certainly have been given theirs; that never becomes untrue. */
  private readonly done = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Makes the starter templates of the account, unless that was done before. */
  async offer(accountId: string): Promise<void> {
    if (this.done.has(accountId)) return;
    // Ids tell the order where times are the same, and lists begin with the newest.
    const rows = STARTER_TEMPLATES.toReversed().map((starter) => ({
      ...starter,
      id: newUuid(),
      version_id: newUuid(),
    }));
    await this.database.run(OFFER, [accountId, this.clock.now(), JSON.stringify(rows)]);
    if (this.done.size >= MAX_REMEMBERED) this.done.clear();
    this.done.add(accountId);
  }
}
