import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Poller } from '../../../platform/background/poller.js';
import { HOUR_MS, MINUTE_MS } from '../../../platform/background/background-tasks.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { Log } from '../../../platform/operation/log.js';
import { bucketOf, LATENCY_BUCKETS } from './latency.js';

/** What is counted; `deliveries` are attempts to deliver. */
export const COUNTED_METRICS = ['requests', 'deliveries'] as const;
export type CountedMetric = (typeof COUNTED_METRICS)[number];

/** One request, or one attempt to deliver. Ids are UUIDs. */
export interface Occurrence {
  accountId: string;
  metric: CountedMetric;
  at: Date;
  /** Of a request its method and route, of a delivery nothing. */
  route: string;
  /** The key, or the webhook. */
  sourceId: string;
  /** Of a request the class of its status, of a delivery what came of it. */
  outcome: string;
  /** `undefined` where it says nothing about the service, as of a stream. */
  durationMs: number | undefined;
}

/** A row to be added. */
interface Total extends Omit<Occurrence, 'at' | 'durationMs'> {
  /** Milliseconds since 1970 at which the minute or hour began. */
  at: number;
  count: number;
  latency: number[];
}

const WRITE_EVERY_MS = 1_000;
/** Totals added by one statement. */
const BATCH = 1_000;
/** Totals that wait for a database that is away; more are dropped, and the log says so. */
const MAX_WAITING = 20_000;

const NAMES = 'account_id, metric, at, route, source_id, outcome';

/** Adds rows of a JSON array; in one order everywhere, so that replicas do not wait for each other in a circle. */
const addTo = (table: string, given: string) => `
  INSERT INTO ${table} AS totals (${NAMES}, count, latency)
  SELECT "accountId", metric, to_timestamp(at / 1000.0), route, "sourceId", outcome, count,
         ARRAY(SELECT value::bigint FROM json_array_elements_text(latency) AS value)
    FROM json_to_recordset(${given}::json) AS item ("accountId" uuid, metric text, at bigint, route text,
         "sourceId" uuid, outcome text, count bigint, latency json)
   WHERE EXISTS (SELECT FROM claimed)
   ORDER BY "accountId", metric, at, route, "sourceId", outcome
  ON CONFLICT (${NAMES}) DO UPDATE
     SET count = totals.count + EXCLUDED.count,
         latency = ARRAY[${Array.from({ length: LATENCY_BUCKETS }, (_, index) => {
           const place = String(index + 1);
           return `totals.latency[${place}] + EXCLUDED.latency[${place}]`;
         }).join(', ')}]`;

/** Adds a batch, unless this process has added it already: of `$2` the answer may have been lost. */
const ADD: Statement = {
  name: 'usage.add-totals',
  text: `WITH claimed AS (
      INSERT INTO usage_writers AS writer (id, batch, written_at) VALUES ($1, $2, now())
      ON CONFLICT (id) DO UPDATE SET batch = EXCLUDED.batch, written_at = EXCLUDED.written_at
       WHERE writer.batch < EXCLUDED.batch
      RETURNING id
    ), minutes AS (${addTo('usage_minutes', '$3')})
    ${addTo('usage_hours', '$4')}`,
};

/** Counts requests and deliveries in this process, and adds them up in the database each second, beside what is counted. */
@Injectable()
export class UsageTotals implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly writerId = newUuid();
  private readonly waiting = new Map<string, Total>();
  private batch = 0;
  /** What is being added, or could not be: the same rows under the same number until the database has them. */
  private unsent: Total[] = [];
  private writing: Promise<boolean> | undefined;
  private dropped = 0;
  private readonly poller = new Poller({
    everyMs: WRITE_EVERY_MS,
    work: () => this.writeBatch(),
    onFailure: (error) => {
      this.log.warn({ err: error }, 'Totals of usage wait until the database answers again.');
    },
  });

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.poller.start();
  }

  /** Last of all, when nothing more is counted; the database is closed after it. */
  async onApplicationShutdown(): Promise<void> {
    await this.poller.stop();
    await this.write().catch((error: unknown) => {
      this.log.warn({ err: error }, 'The last totals of usage could not be written.');
    });
  }

  count(one: Occurrence): void {
    const { accountId, metric, route, sourceId, outcome, durationMs } = one;
    const at = beginOf(one.at.getTime(), MINUTE_MS);
    const key = `${String(at)} ${accountId}${sourceId}${metric}${outcome} ${route}`;
    let total = this.waiting.get(key);
    if (!total) {
      if (this.waiting.size >= MAX_WAITING) {
        this.dropped += 1;
        return;
      }
      total = { accountId, metric, at, route, sourceId, outcome, count: 0, latency: noLatency() };
      this.waiting.set(key, total);
    }
    total.count += 1;
    if (durationMs === undefined) return;
    const bucket = bucketOf(durationMs);
    total.latency[bucket] = (total.latency[bucket] ?? 0) + 1;
  }

  /** Writes all that is counted. Rejects with the pg error; nothing is lost then. */
  async write(): Promise<void> {
    do await this.writeBatch();
    while (this.waiting.size > 0);
  }

  /** Whether a whole batch waits; fewer gather until the next second. Whoever asks while a batch is under way gets that one. */
  private writeBatch(): Promise<boolean> {
    this.writing ??= this.addBatch().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async addBatch(): Promise<boolean> {
    if (this.unsent.length === 0) this.takeBatch();
    if (this.unsent.length === 0) return false;
    try {
      await this.database.run(ADD, [
        this.writerId,
        this.batch,
        JSON.stringify(this.unsent),
        JSON.stringify(byHour(this.unsent)),
      ]);
    } catch (error) {
      if (asUnavailable(error)) throw error;
      this.log.error({ err: error }, 'Totals of usage were refused by the database and are lost.');
    }
    this.unsent = [];
    this.reportDropped();
    return this.waiting.size >= BATCH;
  }

  private takeBatch(): void {
    for (const [key, total] of this.waiting) {
      if (this.unsent.length === BATCH) break;
      this.unsent.push(total);
      this.waiting.delete(key);
    }
    this.batch += 1;
  }

  private reportDropped(): void {
    if (this.dropped === 0) return;
    this.log.warn(
      { notCounted: this.dropped },
      'The database was away for so long that usage could not be counted any more.',
    );
    this.dropped = 0;
  }
}

function noLatency(): number[] {
  return new Array<number>(LATENCY_BUCKETS).fill(0);
}

function byHour(minutes: readonly Total[]): Total[] {
  const hours = new Map<string, Total>();
  for (const minute of minutes) {
    const { accountId, metric, route, sourceId, outcome } = minute;
    const at = beginOf(minute.at, HOUR_MS);
    const key = `${String(at)} ${accountId}${sourceId}${metric}${outcome} ${route}`;
    const hour = hours.get(key);
    if (hour) {
      hour.count += minute.count;
      hour.latency = hour.latency.map((count, bucket) => count + (minute.latency[bucket] ?? 0));
    } else hours.set(key, { ...minute, at });
  }
  return [...hours.values()];
}

function beginOf(time: number, lengthMs: number): number {
  return time - (time % lengthMs);
}
