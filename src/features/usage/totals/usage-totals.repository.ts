import { Injectable } from '@nestjs/common';
import { HOUR_MS, RunsInBackground } from '../../../platform/background/background-tasks.js';
import { Retention } from '../../../platform/background/retention.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { LATENCY_BUCKETS } from './latency.js';

/** Retention of totals. Rows are removed an hour later, so that none is missing at the limit. */
export const MINUTE_RETENTION_HOURS = 48;
export const HOUR_RETENTION_DAYS = 400;
const WRITER_RETENTION_DAYS = 7;

/** `deliveries` are delivery attempts. */
type CountedMetric = 'requests' | 'deliveries';

/** Attributes that a total is counted by. Ids are UUIDs. */
export interface TotalKey {
  accountId: string;
  metric: CountedMetric;
  /** Method and route of a request. Empty for a delivery. */
  route: string;
  /** The key or webhook. */
  sourceId: string;
  /** Status class of a request, or result of a delivery attempt. */
  outcome: string;
}

export interface Total extends TotalKey {
  /** Start of the minute or hour, in ms since 1970. */
  at: number;
  count: number;
  /** Counts by latency bucket. */
  latency: number[];
}

const KEY = 'account_id, metric, at, route, source_id, outcome';
const BUCKETS = Array.from({ length: LATENCY_BUCKETS }, (_, index) => String(index + 1));

/** Adds the rows of a JSON array. All processes use the same order, so they cannot deadlock. */
const addTo = (table: string, rows: string) => `
  INSERT INTO ${table} AS totals (${KEY}, count, latency)
  SELECT "accountId", metric, to_timestamp(at / 1000.0), route, "sourceId", outcome, count,
         ARRAY(SELECT value::bigint FROM json_array_elements_text(latency) AS value)
    FROM json_to_recordset(${rows}::json) AS item ("accountId" uuid, metric text, at bigint, route text,
         "sourceId" uuid, outcome text, count bigint, latency json)
   WHERE EXISTS (SELECT FROM claimed)
   ORDER BY "accountId", metric, at, route, "sourceId", outcome
  ON CONFLICT (${KEY}) DO UPDATE
     SET count = totals.count + EXCLUDED.count,
         latency = ARRAY[${BUCKETS.map((n) => `totals.latency[${n}] + EXCLUDED.latency[${n}]`).join(', ')}]`;

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

const GROUP_COLUMNS = {
  status: 'outcome',
  outcome: 'outcome',
  route: 'route',
  key: 'source_id::text',
  webhook: 'source_id::text',
} as const;

/** Selects the totals of a series. Times are ms since 1970. */
interface SeriesSelection {
  accountId: string;
  metric: CountedMetric;
  from: number;
  to: number;
  stepMs: number;
  by: keyof typeof GROUP_COLUMNS | undefined;
  /** UUID of the only key or webhook to count. */
  sourceId: string | null;
}

/** The total of a group in a step. */
export interface SeriesTotal {
  /** Number of the step, counted from 1970. */
  slot: number;
  group: string;
  count: number;
  latency: number[];
}

/** Totals of requests and deliveries by minute and hour. */
@Injectable()
export class UsageTotalsRepository {
  constructor(private readonly database: Database) {}

  /** Adds a batch, unless this writer has already added the batch with this number. */
  async add(
    writerId: string,
    batch: number,
    minutes: readonly Total[],
    hours: readonly Total[],
  ): Promise<void> {
    const rows = [JSON.stringify(minutes), JSON.stringify(hours)];
    await this.database.run(ADD, [writerId, batch, ...rows]);
  }

  /** Reads minutes if a step is shorter than an hour. */
  readSeries(selection: SeriesSelection): Promise<SeriesTotal[]> {
    const { accountId, metric, from, to, stepMs, by, sourceId } = selection;
    const table = stepMs < HOUR_MS ? 'usage_minutes' : 'usage_hours';
    const group = by === undefined ? `''` : GROUP_COLUMNS[by];
    const latency = BUCKETS.map((bucket) => `sum(latency[${bucket}])::float8`).join(', ');
    const statement = {
      name: `usage.series-${table}-${by ?? 'all'}`,
      text: `SELECT floor(extract(epoch FROM at) / $5::integer)::float8 AS slot, ${group} AS "group",
                    sum(count)::float8 AS count, ARRAY[${latency}] AS latency
               FROM ${table}
              WHERE account_id = $1 AND metric = $2 AND at >= $3::timestamptz AND at < $4::timestamptz
                AND ($6::uuid IS NULL OR source_id = $6::uuid)
              GROUP BY 1, 2`,
    };
    const range = [new Date(from), new Date(to), stepMs / 1000];
    return this.database.read(statement, [accountId, metric, ...range, sourceId]);
  }
}

/** Removes old totals and reported thresholds. */
@RunsInBackground({ name: 'The removal of old totals', everyMs: HOUR_MS })
export class TotalsRetention extends Retention {
  protected readonly expiring = [
    { table: 'usage_minutes', column: 'at', afterMs: (MINUTE_RETENTION_HOURS + 1) * HOUR_MS },
    { table: 'usage_hours', column: 'at', afterMs: (HOUR_RETENTION_DAYS * 24 + 1) * HOUR_MS },
    { table: 'usage_thresholds', column: 'period', afterMs: 24 * HOUR_MS },
    { table: 'usage_writers', column: 'written_at', afterMs: WRITER_RETENTION_DAYS * 24 * HOUR_MS },
  ];
}
