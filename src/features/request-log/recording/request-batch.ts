import { HOUR_MS } from '../../../platform/background/background-tasks.js';
import type { LoggedRequest } from './logged-request.js';

/** Maximum number of requests that a process logs per second. */
export const MAX_A_SECOND = 200;
/** Maximum number of failures, and of successes, buffered per second. */
const MAX_REMEMBERED = 500;

export type UnloggedReason = 'busy' | 'outage' | 'full';

/** Counts requests that are not logged, by account, hour and reason. */
export class Unlogged {
  private readonly counts = new Map<
    string,
    { accountId: string; hour: Date; reason: UnloggedReason; count: number }
  >();

  add({ accountId, at }: Pick<LoggedRequest, 'accountId' | 'at'>, reason: UnloggedReason): void {
    const hour = at.getTime() - (at.getTime() % HOUR_MS);
    this.addCount({ accountId, hour: new Date(hour), reason, count: 1 });
  }

  addAll(others: Unlogged): void {
    for (const other of others.entries()) this.addCount(other);
  }

  entries() {
    return [...this.counts.values()];
  }

  private addCount(one: ReturnType<Unlogged['entries']>[number]): void {
    const key = `${one.accountId} ${String(one.hour.getTime())} ${one.reason}`;
    const known = this.counts.get(key);
    if (known) known.count += one.count;
    else this.counts.set(key, { ...one });
  }
}

/** Requests and counts that one statement writes. */
export interface RequestBatch {
  rows: readonly LoggedRequest[];
  unlogged: Unlogged;
}

/** Selects the requests of one second to log: failures first, alternating between accounts. */
export class RequestSecond {
  private failures: LoggedRequest[] = [];
  private successes: LoggedRequest[] = [];
  private unlogged = new Unlogged();

  add(request: LoggedRequest): void {
    const kind = request.status >= 400 ? this.failures : this.successes;
    if (kind.length < MAX_REMEMBERED) kind.push(request);
    else this.unlogged.add(request, 'busy');
  }

  /** Ends the second. Returns `undefined` if it had no requests. */
  take(): RequestBatch | undefined {
    const { failures, successes, unlogged } = this;
    if (failures.length + successes.length === 0) return undefined;
    this.failures = [];
    this.successes = [];
    this.unlogged = new Unlogged();
    const failed = roundRobin(failures);
    const succeeded = roundRobin(successes);
    const all = [...failed, ...succeeded];
    for (const request of all.slice(MAX_A_SECOND)) unlogged.add(request, 'busy');
    return { rows: all.slice(0, MAX_A_SECOND), unlogged };
  }
}

/** Returns the first request of each account, then the second of each, and so on. */
function roundRobin(requests: LoggedRequest[]): LoggedRequest[] {
  if (requests.length <= MAX_A_SECOND) return requests;
  const turns: LoggedRequest[][] = [];
  const counted = new Map<string, number>();
  for (const request of requests) {
    const turn = counted.get(request.accountId) ?? 0;
    counted.set(request.accountId, turn + 1);
    (turns[turn] ??= []).push(request);
  }
  return turns.flat();
}
