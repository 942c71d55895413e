import { Injectable } from '@nestjs/common';
import {
  type BackgroundTask,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  RunsInBackground,
} from '../../platform/background/background-tasks.js';
import { endOfFirstPartition, maintainPartitions } from '../../platform/background/partitions.js';
import { deleteExpired } from '../../platform/background/retention.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import { Config } from '../../platform/config/config.js';
import { selectedColumns } from '../../platform/database/columns.js';
import { Database, type Statement } from '../../platform/database/database.js';
import {
  filterConditions,
  type FilterConditions,
} from '../../platform/http/pagination/filter-conditions.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import {
  readPage,
  restricted,
  type Listing,
  type Page,
  type PageRequest,
} from '../../platform/http/pagination/read-page.js';
import type { Owner } from '../auth/principal.js';
import { NO_KEY, RequestEntity } from './entities/request.entity.js';
import { loggedPath, type LoggedRequest } from './recording/logged-request.js';
import type { RequestBatch, UnloggedReason } from './recording/request-batch.js';

/** Maximum number of requests stored per account. The oldest are removed first. */
export const MAX_OF_ACCOUNT = 100_000;
/** Maximum number of rows that one statement deletes. */
const DELETE_BATCH = 5_000;

/** A request as a prepared statement returns it: JSON is text. */
export type StoredRequest = Omit<RequestEntity, 'error'> & { error: string | null };

/** Filters of the request log, combined with AND. Ids are UUIDs. */
export interface RequestFilters {
  /** Ranges of statuses, as an `int4multirange`. */
  status?: string | undefined;
  method?: string | undefined;
  route?: string | undefined;
  keyId?: string | undefined;
  /** True for requests from the dashboard, false for those with a key. */
  fromDashboard?: boolean | undefined;
  requestId?: string | undefined;
  address?: string | undefined;
  /** The address of requests with keys. */
  keyAddress?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

const CONDITIONS: FilterConditions<RequestFilters> = {
  status: (value) => `item.status::integer <@ ${value}::int4multirange`,
  method: (value) => `item.method = ${value}::text`,
  route: (value) => `item.route = ${value}::text`,
  keyId: (value) => `item.key_id = ${value}::uuid`,
  fromDashboard: (value) => `(item.key_id = '${NO_KEY}') = ${value}::boolean`,
  requestId: (value) => `item.id = ${value}::uuid`,
  address: (value) => `item.client_address = ${value}::text`,
  since: (value) => `item.created_at >= ${value}::timestamptz`,
  until: (value) => `item.created_at < ${value}::timestamptz`,
  keyAddress: (value) => `item.client_address = ${value}::text AND item.key_id <> '${NO_KEY}'`,
};

const COLUMNS = selectedColumns(RequestEntity, 'item');

const FIND: Statement = {
  name: 'requests.find',
  text: `SELECT ${COLUMNS} FROM request_log AS item WHERE id = $1 AND account_id = $2`,
};

/** Counts per hour, so the hours that contain `$2` and `$3` count in full. */
const COUNT_UNLOGGED: Statement = {
  name: 'requests.count-unlogged',
  text: `SELECT reason, sum(count)::float8 AS count FROM unlogged_requests
          WHERE account_id = $1 AND hour > $2::timestamptz - interval '1 hour' AND hour < $3::timestamptz
          GROUP BY reason`,
};

/** A batch whose result was lost can be sent again, because the IDs identify its rows and only new rows are counted. */
const INSERT: Statement = {
  name: 'requests.insert',
  text: `WITH written AS (
      INSERT INTO request_log (id, account_id, key_id, user_id, method, route, path, status, duration_ms,
                               client_address, user_agent, error, created_at, token_label)
      SELECT id, account_id, key_id, user_id, method, route, path, status, duration_ms, client_address, user_agent,
             error::json, created_at, token_label
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[],
                    $8::smallint[], $9::real[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::text[])
          AS given (id, account_id, key_id, user_id, method, route, path, status, duration_ms, client_address,
                    user_agent, error, created_at, token_label)
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    )
    INSERT INTO unlogged_requests AS totals (account_id, hour, reason, count)
    SELECT * FROM unnest($15::uuid[], $16::timestamptz[], $17::text[], $18::bigint[])
     WHERE EXISTS (SELECT FROM written)
     ORDER BY 1, 2, 3
    ON CONFLICT (account_id, hour, reason) DO UPDATE SET count = totals.count + EXCLUDED.count`,
};

/**
 * Removes a batch of old requests of the first partition. IDs begin with their time, and the primary key is the only index
 * over all accounts.
 */
const DELETE_EXPIRED: Statement = {
  name: 'requests.delete-expired',
  text: `DELETE FROM request_log WHERE id = ANY (ARRAY(
           SELECT id FROM request_log
            WHERE id < least(smallest_id($1), ${endOfFirstPartition('request_log')})
            ORDER BY id LIMIT ${String(DELETE_BATCH)} FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
};

/** Removes the oldest requests of accounts that have too many, and counts them by hour. */
const DELETE_SURPLUS: Statement = {
  name: 'requests.delete-surplus',
  text: `WITH crowded AS MATERIALIZED (
      SELECT account_id, sum(count)::bigint - ${String(MAX_OF_ACCOUNT)} AS surplus
        FROM row_counts WHERE kind = 'request_log'
       GROUP BY account_id HAVING sum(count) > ${String(MAX_OF_ACCOUNT)}
    ), oldest AS MATERIALIZED (
      SELECT item.id FROM crowded CROSS JOIN LATERAL (
        SELECT id FROM request_log WHERE account_id = crowded.account_id
         ORDER BY created_at, id LIMIT least(surplus, ${String(DELETE_BATCH)})) AS item
       LIMIT ${String(DELETE_BATCH)}
    ), removed AS (
      DELETE FROM request_log WHERE id = ANY (ARRAY(SELECT id FROM oldest)) RETURNING account_id, created_at
    ), counted AS (
      INSERT INTO unlogged_requests AS totals (account_id, hour, reason, count)
      SELECT account_id, date_trunc('hour', created_at, 'UTC'), 'full', count(*) FROM removed GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (account_id, hour, reason) DO UPDATE SET count = totals.count + EXCLUDED.count
    )
    SELECT count(*)::integer AS removed FROM removed`,
};

/** The request log. */
@Injectable()
export class RequestsRepository {
  constructor(private readonly database: Database) {}

  /** Reads one page; with `owner`, only of their requests. Throws `bad_request` for a cursor of another list. */
  list(
    accountId: string,
    filters: RequestFilters,
    request: PageRequest<CreationSort>,
    owner?: Owner,
  ): Promise<Page<StoredRequest>> {
    const { name, conditions, values } = filterConditions(CONDITIONS, filters, 2);
    const where = ['item.account_id = $1', ...conditions].join(' AND ');
    const listing = {
      name: `requests-${name}`,
      table: 'request_log',
      where,
      total:
        conditions.length === 0
          ? `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE account_id = $1 AND kind = 'request_log'`
          : `SELECT count(*) AS n FROM request_log AS item WHERE ${where}`,
      columns: COLUMNS,
      values,
      sorts: BY_CREATION,
    };
    return readPage(this.database, owner ? ofOwner(listing, owner) : listing, accountId, request);
  }

  async find(accountId: string, id: string): Promise<StoredRequest | undefined> {
    const [found] = await this.database.run<StoredRequest>(FIND, [id, accountId]);
    return found;
  }

  /** Counts the requests from `since` to `until` that are not in the log, by reason. */
  async countUnlogged(
    accountId: string,
    since = new Date(0),
    until = new Date('9999-01-01T00:00:00Z'),
  ): Promise<Record<UnloggedReason, number>> {
    const rows = await this.database.run<{ reason: UnloggedReason; count: number }>(
      COUNT_UNLOGGED,
      [accountId, since, until],
    );
    const counted = Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
    return { busy: 0, outage: 0, full: 0, ...counted };
  }

  /** Writes a batch. Writing it again changes nothing. */
  async insert(batch: RequestBatch): Promise<void> {
    await this.database.run(INSERT, columnsOf(batch));
  }
}

/** Removes requests that are too old, and the surplus of accounts with too many requests. */
@RunsInBackground({ name: 'The removal of old requests from their log', everyMs: MINUTE_MS })
@Injectable()
export class RequestLogRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const days = this.config.requestLogDays;
    const ms = this.clock.now().getTime() - days * DAY_MS;
    const hour = { table: 'unlogged_requests', column: 'hour', cutoff: new Date(ms - HOUR_MS) };
    const hasMore = [
      await maintainPartitions(this.database, ['request_log'], days),
      (await this.database.run(DELETE_EXPIRED, [new Date(ms)])).length === DELETE_BATCH,
      await deleteExpired(this.database, hour),
      await this.deleteSurplus(),
    ];
    return hasMore.includes(true);
  }

  private async deleteSurplus(): Promise<boolean> {
    const [surplus] = await this.database.run<{ removed: number }>(DELETE_SURPLUS, []);
    return surplus?.removed === DELETE_BATCH;
  }
}

function ofOwner(listing: Listing<CreationSort>, { kind, id }: Owner): Listing<CreationSort> {
  return restricted(listing, (value) => `item.${kind}_id = ${value}::uuid`, [id], { name: kind });
}

/** Returns one array per column. */
function columnsOf({ rows, unlogged }: RequestBatch): unknown[] {
  const column = <Value>(valueOf: (row: LoggedRequest) => Value) => rows.map(valueOf);
  const missing = unlogged.entries();
  return [
    column(({ id }) => decodeId('request', id)),
    column(({ accountId }) => accountId),
    column(({ keyId }) => keyId),
    column(({ userId }) => userId),
    column(({ method }) => method),
    column(({ route }) => route),
    column(({ url }) => loggedPath(url)),
    column(({ status }) => status),
    column(({ durationMs }) => durationMs.toFixed(2)),
    column(({ clientAddress }) => clientAddress),
    column(({ userAgent }) => userAgent),
    column(({ error }) => error),
    column(({ at }) => at.toISOString()),
    column(({ tokenLabel }) => tokenLabel),
    missing.map(({ accountId }) => accountId),
    missing.map(({ hour }) => hour.toISOString()),
    missing.map(({ reason }) => reason),
    missing.map(({ count }) => count),
  ];
}
