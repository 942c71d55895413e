import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { parseMoment } from '../../platform/basics/clock/moment.js';
import type { Access } from '../auth/access/access.js';
import { isOwnedBy, ownerOf, type Principal } from '../auth/principal.js';
import { grants } from '../auth/scopes.js';
import { AppError, notFound } from '../../platform/basics/errors/app-error.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import { Config } from '../../platform/config/config.js';
import type { CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import type { Page, PageRequest } from '../../platform/http/pagination/read-page.js';
import type { ListRequestsDto } from './dto/request.dto.js';
import { MAX_A_SECOND, type UnloggedReason } from './recording/request-batch.js';
import { writtenPattern } from './recording/request-recorder.js';
import {
  MAX_OF_ACCOUNT,
  RequestsRepository,
  type RequestFilters,
  type StoredRequest,
} from './requests.repository.js';

/** Maximum time from the response to the log entry while the database is available. */
const WRITTEN_WITHIN_MS = 5_000;

/** The retention of the log, and the number of requests within it that were not logged. */
interface RequestLogState {
  days: number;
  notKept: Record<UnloggedReason, number>;
}

/** Reads the requests that were made with the keys of an account, and failed ones from the dashboard. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly requests: RequestsRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Returns one page, and the number of requests in the same period that are not in the log. Queries name documents, so
   * callers who do not see all of them get only their own requests.
   */
  async list(
    access: Access,
    principal: Principal,
    query: ListRequestsDto & PageRequest<CreationSort>,
  ): Promise<Page<StoredRequest> & { log: RequestLogState }> {
    const { address, ...others } = filtersOf(query);
    const { accountId, scopes } = principal;
    // The filter must not reveal the addresses of people.
    const byAddress = grants(scopes, 'audit:read') ? { address } : { keyAddress: address };
    const filters: RequestFilters = { ...others, ...byAddress };
    const owner = access.isWhole ? undefined : ownerOf(principal);
    const page = await this.requests.list(accountId, filters, query, owner);
    const notKept = await this.requests.countUnlogged(accountId, filters.since, filters.until);
    return { ...page, log: { days: this.config.requestLogDays, notKept } };
  }

  /**
   * Finds a request by its public id. Throws `not_found` with the likely reason, also for somebody else's if the caller
   * does not see all documents.
   */
  async find(access: Access, principal: Principal, id: string): Promise<StoredRequest> {
    const { accountId } = access;
    const uuid = decodeId('request', id);
    if (uuid === undefined) throw notFound('request');
    const found = await this.requests.find(accountId, uuid);
    if (found && (access.isWhole || isOwnedBy(ownerOf(principal), found))) return found;
    throw requestNotLogged(...(await this.whyMissing(accountId, timeOf(uuid))));
  }

  /** Depends only on this account and the time in the ID, so it reveals nothing about other accounts. */
  private async whyMissing(
    accountId: string,
    at: Date,
  ): Promise<[reason: MissingReason, sentence: string]> {
    const days = this.config.requestLogDays;
    const ageMs = this.clock.now().getTime() - at.getTime();
    if (days === 0) return ['off', 'The operator has turned the request log off.'];
    if (ageMs > days * DAY_MS) {
      return [
        'expired',
        `Requests are stored for ${String(days)} days, and this one was made on ${at.toISOString().slice(0, 10)}. GET /v1/usage/series still counts it.`,
      ];
    }
    if (ageMs >= 0 && ageMs < WRITTEN_WITHIN_MS) {
      return ['pending', 'Requests are stored a second or two after their response. Try again.'];
    }
    const unlogged = await this.requests.countUnlogged(accountId, at, new Date(at.getTime() + 1));
    const [reason, count] = Object.entries(unlogged).reduce((most, one) =>
      one[1] > most[1] ? one : most,
    ) as [UnloggedReason, number];
    if (count > 0) {
      return [
        reason,
        `${count.toLocaleString('en')} requests of that hour were not logged: ${UNLOGGED_BECAUSE[reason]}. GET /v1/usage/series counts them.`,
      ];
    }
    return [
      'unknown',
      'This account has no such request. Requests without a valid key, and successful ones from the dashboard, are not logged.',
    ];
  }
}

const UNLOGGED_BECAUSE: Readonly<Record<UnloggedReason, string>> = {
  busy: `a process logs at most ${String(MAX_A_SECOND)} requests per second, failures first`,
  outage: 'the database was unavailable for too long',
  full: `only the newest ${MAX_OF_ACCOUNT.toLocaleString('en')} of an account are stored`,
};

type MissingReason = UnloggedReason | 'off' | 'expired' | 'pending' | 'unknown';

export function requestNotLogged(reason: MissingReason, sentence: string): AppError {
  return new AppError('not_found', `There is no such request in the log. ${sentence}`, { reason });
}

function filtersOf(query: ListRequestsDto): RequestFilters {
  const { status, method, route, keyId, source, requestId, address, since, until } = query;
  return {
    status: status && `{${status.map(rangeOf).join(',')}}`,
    method,
    route: route && writtenPattern(route),
    keyId: keyId && decodeId('key', keyId),
    fromDashboard: source && source === 'dashboard',
    requestId: requestId && decodeId('request', requestId),
    address,
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}

/** Converts `4xx` to `[400,499]`, and `429` to `[429,429]`. */
function rangeOf(status: string): string {
  const [first, last] = status.endsWith('xx')
    ? [Number(status[0]) * 100, Number(status[0]) * 100 + 99]
    : [Number(status), Number(status)];
  return `[${String(first)},${String(last)}]`;
}

/** UUIDv7 begins with its time. */
function timeOf(uuid: string): Date {
  return new Date(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16));
}
