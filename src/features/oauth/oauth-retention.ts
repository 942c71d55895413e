import { Injectable } from '@nestjs/common';
import {
  type BackgroundTask,
  DAY_MS,
  HOUR_MS,
  RunsInBackground,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { systemContext } from '../auth/request-context.js';
import { KeysService } from '../keys/keys.service.js';
import { IDLE_MS } from './tokens/token-refresh.service.js';

/** Rows of a table that one statement removes. */
const BATCH = 1_000;
/** Used codes stay for a day, so that a second use ends the access. */
const CODES_STAY_MS = DAY_MS;

const purge = (table: string): Statement => ({
  name: `oauth.purge-${table}`,
  text: `DELETE FROM ${table} WHERE hash IN (
           SELECT hash FROM ${table} WHERE expires_at <= $1 LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED)
         RETURNING true`,
});

const PURGE_TOKENS = purge('access_tokens');
const PURGE_CODES = purge('authorization_codes');

const FIND_IDLE: Statement = {
  name: 'oauth.find-idle-apps',
  text: `SELECT key.id, key.account_id AS "accountId", key.user_id AS "userId" FROM api_keys AS key
          WHERE key.client IS NOT NULL AND key.revoked_at IS NULL
            AND coalesce(key.last_used_at, key.created_at) <= $1 LIMIT 100`,
};

interface IdleApp {
  id: string;
  accountId: string;
  userId: string;
}

/** Removes expired tokens and codes, and ends the access of apps that were not used for 30 days. */
@RunsInBackground({ name: 'The removal of expired tokens', everyMs: HOUR_MS })
@Injectable()
export class OAuthRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly keys: KeysService,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const now = this.clock.now().getTime();
    const removed = [
      await this.database.run(PURGE_TOKENS, [new Date(now)]),
      await this.database.run(PURGE_CODES, [new Date(now - CODES_STAY_MS)]),
    ];
    const idle = await this.database.run<IdleApp>(FIND_IDLE, [new Date(now - IDLE_MS)]);
    for (const { id, accountId, userId } of idle) {
      const context = systemContext('service', accountId, { id: userId, name: '', email: '' });
      await this.keys.endApp(id, 'unused for 30 days', context);
    }
    return removed.some((rows) => rows.length === BATCH) || idle.length > 0;
  }
}
