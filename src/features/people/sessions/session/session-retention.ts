import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { SESSION_IDLE_MS } from '../session-lifetime.js';

const BATCH = 1_000;
/** Links are kept for so long after their end, to say what became of them. */
const LINKS_KEPT_MS = 30 * 24 * HOUR_MS;

const purge = (name: string, table: string, key: string, condition: string): Statement => ({
  name,
  text: `DELETE FROM ${table} WHERE ${key} IN (
           SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED)
         RETURNING true`,
});

const PURGE_EXPIRED = purge('sessions.purge-expired', 'sessions', 'id', 'expires_at <= $1');
const PURGE_IDLE = purge('sessions.purge-idle', 'sessions', 'id', 'seen_at <= $1');
const PURGE_LINKS = purge('sessions.purge-links', 'one_time_links', 'id', 'expires_at <= $1');
const PURGE_ATTEMPTS = purge(
  'sessions.purge-attempts',
  'sign_in_attempts',
  'bucket',
  'empty_at <= $1',
);

/** Removes sessions and links that have ended, and attempts to sign in that are forgotten. */
@RunsInBackground({ name: 'The removal of ended sessions', everyMs: HOUR_MS })
@Injectable()
export class SessionRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const now = this.clock.now().getTime();
    const removed = [
      await this.database.run(PURGE_EXPIRED, [new Date(now)]),
      await this.database.run(PURGE_IDLE, [new Date(now - SESSION_IDLE_MS)]),
      await this.database.run(PURGE_LINKS, [new Date(now - LINKS_KEPT_MS)]),
      await this.database.run(PURGE_ATTEMPTS, [new Date(now)]),
    ];
    return removed.some((rows) => rows.length === BATCH);
  }
}
