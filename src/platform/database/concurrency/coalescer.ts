import { AsyncResource } from 'node:async_hooks';
import { runningTime } from '../../basics/clock/time-limit.js';
import { spanOfCaller, type WithinSpan } from '../../operation/tracing.js';
import { asUnavailable, unavailable, wasDeadlocked } from '../../basics/errors/database-error.js';

interface Waiting<Request, Result> {
  request: Request;
  weight: number;
  /** Undefined if tracing is off. */
  withinSpan: WithinSpan | undefined;
  /** Running time of the process, in ms. */
  since: number;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/** The result or the error for one caller. */
export type Outcome<Result> = { result: Result } | { error: unknown };

interface CoalescerOptions<Request> {
  /** Maximum requests in one statement. */
  maxBatch: number;
  /** Maximum statements in flight. While all are busy, requests collect for the next one. */
  maxInFlight: number;
  /** Maximum time to wait for more callers before sending a batch, in ms. Small batches are expensive. */
  gather?: { forMs: number; isEnough: (waiting: number) => boolean };
  /** Returns the size of a request in bytes, if requests can be large. It limits batches and the queue. */
  weigh?: (request: Request) => number;
  /**
   * For writes. When a batch fails because of its data, runs each request alone, so that one caller's error does not
   * affect the others. The batch must be one transaction.
   */
  isolateFailures?: boolean;
}

const MAX_BATCH_BYTES = 1024 ** 2;
/** A slow database must not fill the memory or keep callers waiting for a response they no longer want. */
const MAX_WAITING = 5_000;
const MAX_WAITING_BYTES = 64 * 1024 ** 2;
const MAX_WAIT_MS = 5_000;

/**
 * Combines requests that arrive within one turn of the event loop into one statement (the DataLoader pattern, see
 * docs/adr/0009-persistence-and-transactions.md). Without it, a read by ID costs ×2.5 of the processor time, a create ×2.9 to
 * ×4.3, and a list ×1.7. A request never joins a statement that was already sent, so callers
 * never read data older than their request.
 *
 * `runBatch` returns one outcome per request, in order. If it throws, every caller of the batch gets the error.
 */
export class Coalescer<Request, Result> {
  private readonly waiting: Waiting<Request, Result>[] = [];
  private waitingBytes = 0;
  private scheduled = false;
  private gathering: NodeJS.Timeout | undefined;
  private inFlight = 0;
  /** Runs in the context in which the coalescer was created, so a batch never joins a caller's transaction. */
  private readonly runBatch: (
    requests: Request[],
    withinSpan?: WithinSpan,
  ) => Promise<Outcome<Result>[]>;

  constructor(
    runBatch: (requests: Request[]) => Promise<Outcome<Result>[]>,
    private readonly options: CoalescerOptions<Request>,
  ) {
    this.runBatch = AsyncResource.bind((requests: Request[], withinSpan?: WithinSpan) =>
      withinSpan ? withinSpan(() => runBatch(requests)) : runBatch(requests),
    );
  }

  /** Rejects with `unavailable` if too many callers wait or after five seconds of waiting. */
  submit(request: Request): Promise<Result> {
    const weight = this.options.weigh?.(request) ?? 0;
    if (this.waiting.length >= MAX_WAITING || this.waitingBytes + weight > MAX_WAITING_BYTES) {
      return Promise.reject(unavailable('overloaded'));
    }
    return new Promise((resolve, reject) => {
      const withinSpan = spanOfCaller();
      this.waiting.push({ request, weight, withinSpan, since: runningTime(), resolve, reject });
      this.waitingBytes += weight;
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0) return;
    if (this.inFlight >= this.options.maxInFlight) return;
    const { gather, maxBatch } = this.options;
    const count = this.waiting.length;
    if (gather === undefined || count >= maxBatch || gather.isEnough(count)) this.flushNext();
    else
      this.gathering ??= setTimeout(() => {
        this.flushNext();
      }, gather.forMs);
  }

  private flushNext(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const batch = this.takeBatch();
    if (batch.length === 0) return;
    this.inFlight += 1;
    this.schedule();
    try {
      const outcomes = await this.runIsolated(
        batch.map(({ request }) => request),
        batch[0]?.withinSpan,
      );
      batch.forEach((caller, index) => {
        settle(caller, outcomes[index]);
      });
    } catch (error) {
      for (const caller of batch) caller.reject(error);
    } finally {
      this.inFlight -= 1;
      this.schedule();
    }
  }

  /** Returns the longest-waiting callers that fit in a batch, and rejects those that have waited too long. */
  private takeBatch(): Waiting<Request, Result>[] {
    const oldest = runningTime() - MAX_WAIT_MS;
    const batch: Waiting<Request, Result>[] = [];
    let bytes = 0;
    let taken = 0;
    for (const caller of this.waiting) {
      if (caller.since < oldest) caller.reject(unavailable('overloaded'));
      else if (batch.length > 0 && bytes + caller.weight > MAX_BATCH_BYTES) break;
      else {
        batch.push(caller);
        bytes += caller.weight;
      }
      taken += 1;
      this.waitingBytes -= caller.weight;
      if (batch.length === this.options.maxBatch) break;
    }
    this.waiting.splice(0, taken);
    return batch;
  }

  private async runIsolated(
    requests: Request[],
    withinSpan: WithinSpan | undefined,
  ): Promise<Outcome<Result>[]> {
    try {
      return await this.runBatch(requests, withinSpan);
    } catch (error) {
      const isUnavailable = asUnavailable(error) !== undefined && !wasDeadlocked(error);
      if (!this.options.isolateFailures || requests.length === 1 || isUnavailable) throw error;
      const outcomes: Outcome<Result>[] = [];
      // Run them one after another. In parallel, they would take every connection.
      for (const request of requests) outcomes.push(await this.runAlone(request));
      return outcomes;
    }
  }

  private async runAlone(request: Request): Promise<Outcome<Result>> {
    try {
      const [outcome] = await this.runBatch([request]);
      return outcome ?? { error: new Error('The batch returned no outcome.') };
    } catch (error) {
      return { error };
    }
  }
}

function settle<Request, Result>(
  caller: Waiting<Request, Result>,
  outcome: Outcome<Result> | undefined,
): void {
  if (outcome === undefined) caller.reject(new Error('The batch returned too few outcomes.'));
  else if ('error' in outcome) caller.reject(outcome.error);
  else caller.resolve(outcome.result);
}
