import { Injectable } from '@nestjs/common';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';

const BATCH = 500;

/** Whoever removes a reservation gives it back, in the same statement, so that no other worker or call does it again. */
const EXPIRE: Statement = {
  name: 'analysis.expire-reservations',
  text: `WITH expired AS (
      DELETE FROM token_reservations WHERE id IN (
        SELECT id FROM token_reservations WHERE expires_at <= $1
         ORDER BY expires_at LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING account_id, day, tokens
    ), sums AS (
      SELECT account_id, day, sum(tokens) AS tokens FROM expired GROUP BY account_id, day
    ), given_back AS (
      UPDATE analysis_usage AS used SET tokens = greatest(used.tokens - sums.tokens, 0)
        FROM sums WHERE used.account_id = sums.account_id AND used.day = sums.day
    )
    SELECT count(*)::integer AS expired FROM expired`,
};

/** Gives back the tokens of calls whose process died before it could say what they cost. */
@RunsInBackground({ name: 'Giving back the tokens of unfinished calls', everyMs: MINUTE_MS })
@Injectable()
export class ReservationExpiry implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** In a transaction, which is done again after a deadlock: two batches may meet at the counts of two accounts. */
  async runBatch(): Promise<boolean> {
    const [row] = await this.database.transaction(() =>
      this.database.run<{ expired: number }>(EXPIRE, [this.clock.now()]),
    );
    return row?.expired === BATCH;
  }
}
