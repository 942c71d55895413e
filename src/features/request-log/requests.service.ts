import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Config } from '../../platform/config/config.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { AppError, notFound } from '../../platform/basics/errors/app-error.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import { readPage, type Page, type PageRequest } from '../../platform/http/pagination/read-page.js';
import type { ListRequestsDto } from './dto/request.dto.js';
import { MAX_A_SECOND, type UnloggedReason } from './request-batch.js';
import {
  filtersOf,
  REQUEST_COLUMNS,
  requestListing,
  type StoredRequest,
} from './request-filters.js';
import { MAX_OF_ACCOUNT } from './request-log-retention.js';

const DAY_MS = 24 * HOUR_MS;
/** A request is written so long after its answer at most, while the database answers. */
const WRITTEN_WITHIN_MS = 5_000;

/** What the log does not have, though it is of the days that are kept. */
export interface RequestLogState {
  days: number;
  notKept: Record<UnloggedReason, number>;
}

const FIND: Statement = {
  name: 'requests.find',
  text: `SELECT ${REQUEST_COLUMNS} FROM request_log AS item WHERE id = $1 AND account_id = $2`,
};

/** Of whole hours, from `$2` up to before `$3`. */
const NOT_KEPT: Statement = {
  name: 'requests.not-kept',
  text: `SELECT reason, sum(count)::float8 AS count FROM unlogged_requests
          WHERE account_id = $1 AND hour > $2::timestamptz - interval '1 hour' AND hour < $3::timestamptz
          GROUP BY reason`,
};

/** The requests that were made with the keys of an account, for some days. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** One page under all of the filters, and what is missing of the time they name. */
  async list(
    accountId: string,
    query: ListRequestsDto & PageRequest<CreationSort>,
  ): Promise<Page<StoredRequest> & { log: RequestLogState }> {
    const filters = filtersOf(query);
    const page = await readPage<StoredRequest, CreationSort>(
      this.database,
      requestListing(filters),
      accountId,
      query,
    );
    const notKept = await this.notKept(accountId, filters.since, filters.until);
    return { ...page, log: { days: this.config.requestLogDays, notKept } };
  }

  /** One request by its public id. Throws `not_found`, with the reason why it may not have been kept. */
  async find(accountId: string, id: string): Promise<StoredRequest> {
    const uuid = decodeId('request', id);
    if (uuid === undefined) throw notFound('request');
    const [found] = await this.database.run<StoredRequest>(FIND, [uuid, accountId]);
    if (found) return found;
    throw requestNotKept(...(await this.whyMissing(accountId, timeOf(uuid))));
  }

  /** Says nothing about requests of other accounts: only what is known of the time, and of this account. */
  private async whyMissing(
    accountId: string,
    at: Date,
  ): Promise<[reason: MissingReason, sentence: string]> {
    const days = this.config.requestLogDays;
    const ageMs = this.clock.now().getTime() - at.getTime();
    if (days === 0) return ['off', 'The operator has switched the log of requests off.'];
    if (ageMs > days * DAY_MS) {
      return [
        'expired',
        `Requests are kept for ${String(days)} days, and this one would be of ${at.toISOString().slice(0, 10)}. The totals at GET /v1/usage/series still count it.`,
      ];
    }
    if (ageMs >= 0 && ageMs < WRITTEN_WITHIN_MS) {
      return ['pending', 'Requests are stored a second or two after their response. Try again.'];
    }
    const notKept = await this.notKept(accountId, at, new Date(at.getTime() + 1));
    const [reason, count] = Object.entries(notKept).reduce((most, one) =>
      one[1] > most[1] ? one : most,
    ) as [UnloggedReason, number];
    if (count > 0) {
      return [
        reason,
        `${count.toLocaleString('en')} requests of that hour were not kept: ${NOT_KEPT_BECAUSE[reason]}. The totals at GET /v1/usage/series count them.`,
      ];
    }
    return [
      'unknown',
      'This account has no such request. Those without a valid key, and those of people in the dashboard, are not logged.',
    ];
  }

  private async notKept(
    accountId: string,
    since = new Date(0),
    until = new Date('9999-01-01T00:00:00Z'),
  ): Promise<RequestLogState['notKept']> {
    const rows = await this.database.run<{ reason: UnloggedReason; count: number }>(NOT_KEPT, [
      accountId,
      since,
      until,
    ]);
    const counted = Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
    return { busy: 0, outage: 0, full: 0, ...counted };
  }
}

const NOT_KEPT_BECAUSE: Readonly<Record<UnloggedReason, string>> = {
  busy: `a process writes at most ${String(MAX_A_SECOND)} in a second, failures first`,
  outage: 'the database was away for too long',
  full: `the newest ${MAX_OF_ACCOUNT.toLocaleString('en')} of an account are kept`,
};

type MissingReason = UnloggedReason | 'off' | 'expired' | 'pending' | 'unknown';

/** The answer for an id that the log does not have. */
export function requestNotKept(reason: MissingReason, sentence: string): AppError {
  return new AppError('not_found', `There is no such request in the log. ${sentence}`, { reason });
}

/** Ids begin with their time. */
function timeOf(uuid: string): Date {
  return new Date(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16));
}
