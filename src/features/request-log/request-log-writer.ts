import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Poller } from '../../platform/background/poller.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { asUnavailable } from '../../platform/basics/errors/database-error.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import { Log } from '../../platform/operation/log.js';
import { keptPath, type LoggedRequest } from './logged-request.js';
import { RequestSecond, Unlogged, type RequestBatch } from './request-batch.js';

const SECOND_MS = 1_000;
/** Seconds that wait for a database that is away; then the oldest is given up. */
const MAX_WAITING = 30;

/** A batch whose answer was lost is written once: its rows are known by their ids, and what is missing goes with them. */
const WRITE: Statement = {
  name: 'requests.write',
  text: `WITH written AS (
      INSERT INTO request_log (id, account_id, key_id, user_id, method, route, path, status, duration_ms,
                               client_address, user_agent, error, created_at)
      SELECT id, account_id, key_id, user_id, method, route, path, status, duration_ms, client_address, user_agent,
             error::json, created_at
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[],
                    $8::smallint[], $9::real[], $10::text[], $11::text[], $12::text[], $13::timestamptz[])
          AS given (id, account_id, key_id, user_id, method, route, path, status, duration_ms, client_address,
                    user_agent, error, created_at)
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    )
    INSERT INTO unlogged_requests AS totals (account_id, hour, reason, count)
    SELECT * FROM unnest($14::uuid[], $15::timestamptz[], $16::text[], $17::bigint[])
     WHERE EXISTS (SELECT FROM written)
     ORDER BY 1, 2, 3
    ON CONFLICT (account_id, hour, reason) DO UPDATE SET count = totals.count + EXCLUDED.count`,
};

/** Writes ended requests to the log, those of a second with one statement, beside the answering of others. */
@Injectable()
export class RequestLogWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly second = new RequestSecond();
  private readonly waiting: RequestBatch[] = [];
  /** To be told with the next batch. */
  private lost = new Unlogged();
  private writing: Promise<boolean> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly poller = new Poller({
    everyMs: SECOND_MS,
    work: () => this.writeNext(),
    onFailure: (error) => {
      this.log.warn({ err: error }, 'The log of requests waits until the database answers again.');
    },
  });

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.poller.start();
    this.timer = setInterval(() => {
      this.endSecond();
    }, SECOND_MS);
    this.timer.unref();
  }

  /** Last of all, when no request is under way any more; the database is closed after it. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.poller.stop();
    await this.write().catch((error: unknown) => {
      this.log.warn({ err: error }, 'The last requests could not be written to their log.');
    });
  }

  add(request: LoggedRequest): void {
    this.second.add(request);
  }

  /** Writes all that has ended. Rejects with the pg error; what is kept for later is not lost then. */
  async write(): Promise<void> {
    this.endSecond();
    while (await this.writeNext());
  }

  private endSecond(): void {
    const batch = this.second.take();
    if (!batch) return;
    batch.unlogged.addAll(this.lost);
    this.lost = new Unlogged();
    this.waiting.push(batch);
    // The first one may be under way.
    if (this.waiting.length > MAX_WAITING) this.giveUp(this.waiting.splice(1, 1));
    this.poller.wake();
  }

  /** Whether there is more. Whoever asks while a batch is under way gets that one. */
  private writeNext(): Promise<boolean> {
    this.writing ??= this.writeBatch().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async writeBatch(): Promise<boolean> {
    const [batch] = this.waiting;
    if (!batch) return false;
    try {
      await this.database.run(WRITE, valuesOf(batch));
    } catch (error) {
      if (asUnavailable(error)) throw error;
      this.log.error({ err: error }, 'Requests were refused by the database and are not logged.');
      this.giveUp([batch]);
    }
    this.waiting.shift();
    return this.waiting.length > 0;
  }

  private giveUp(batches: readonly RequestBatch[]): void {
    for (const { rows, unlogged } of batches) {
      for (const row of rows) this.lost.add(row, 'outage');
      this.lost.addAll(unlogged);
    }
  }
}

/** One array a column. */
function valuesOf({ rows, unlogged }: RequestBatch): unknown[] {
  const column = <Value>(valueOf: (row: LoggedRequest) => Value) => rows.map(valueOf);
  const missing = unlogged.entries();
  return [
    column(({ id }) => decodeId('request', id)),
    column(({ accountId }) => accountId),
    column(({ keyId }) => keyId),
    column(({ userId }) => userId),
    column(({ method }) => method),
    column(({ route }) => route),
    column(({ url }) => keptPath(url)),
    column(({ status }) => status),
    column(({ durationMs }) => durationMs.toFixed(2)),
    column(({ clientAddress }) => clientAddress),
    column(({ userAgent }) => userAgent),
    column(({ error }) => error),
    column(({ at }) => at.toISOString()),
    missing.map(({ accountId }) => accountId),
    missing.map(({ hour }) => hour.toISOString()),
    missing.map(({ reason }) => reason),
    missing.map(({ count }) => count),
  ];
}
