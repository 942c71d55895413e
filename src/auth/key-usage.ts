import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database, type Statement } from '../database/database.js';
import { Log } from '../log/log.js';
import type { KnownKey } from './api-key-directory.js';

const MINUTE_MS = 60_000;

const TOUCH: Statement = {
  name: 'auth.touch-key',
  text: `UPDATE api_keys SET last_used_at = $2
          WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')`,
};

/** Keeps `lastUsedAt` of keys, written at most once a minute and never waited for. */
@Injectable()
export class KeyUsage {
  /** Keys whose write is under way, so that a burst of requests writes once. */
  private readonly writing = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  record({ principal: { keyId }, lastUsedAt }: KnownKey): void {
    const now = this.clock.now();
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < MINUTE_MS) return;
    if (this.writing.has(keyId)) return;
    this.writing.add(keyId);
    this.database
      .run(TOUCH, [keyId, now])
      .catch((error: unknown) => {
        this.log.warn({ keyId, err: error }, 'The last use of a key could not be written.');
      })
      .finally(() => this.writing.delete(keyId));
  }
}
