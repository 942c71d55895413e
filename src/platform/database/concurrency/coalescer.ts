import { AsyncResource } from 'node:async_hooks';
import { runningTime } from '../../basics/clock/time-limit.js';
import { spanOfCaller, type WithinSpan } from '../../operation/tracing.js';
import { asUnavailable, unavailable, wasDeadlocked } from '../../basics/errors/database-error.js';

interface Waiting<Request, Result> {
  request: Request;
  weight: number;
  /** Undefined where there are no traces. */
  withinSpan: WithinSpan | undefined;
  /** Of the process's running time, in milliseconds. */
  since: number;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/** The outcome of one caller: its own result, or its own error. */
export type Outcome<Result> = { result: Result } | { error: unknown };

export interface CoalescerOptions<Request> {
  /** Most requests that go into one statement. */
  maxBatch: number;
  /** Most statements under way at once; while all are, callers gather for the next. */
  maxInFlight: number;
  /** Callers wait so long for others, unless their number is enough to go on with: a statement costs much for few. */
  gather?: { forMs: number; isEnough: (waiting: number) => boolean };
  /** Size of a request in bytes, for requests that may be large; a batch and the queue are bounded by it. */
  weigh?: (request: Request) => number;
  /**
   * For writes: when a batch fails by its data, each request is run by itself, so that one caller's failure stays its
   * own. The batch must have been one transaction that left nothing behind.
   */
  isolateFailures?: boolean;
}

const MAX_BATCH_BYTES = 1024 ** 2;
/** A slow database must neither fill the memory nor keep callers waiting for an answer they no longer want. */
const MAX_WAITING = 5_000;
const MAX_WAITING_BYTES = 64 * 1024 ** 2;
const MAX_WAIT_MS = 5_000;

/**
 * Sends requests that arrive within one turn of the event loop to the database as one statement (the DataLoader
 * pattern, see docs/adr/0009-persistence-and-transactions.md). A request never joins a statement that was already sent, so each caller
 * reads a state not older than its own arrival.
 *
 * `runBatch` answers one outcome per request, in order; when it throws, every caller of that batch gets the error.
 */
export class Coalescer<Request, Result> {
  private readonly waiting: Waiting<Request, Result>[] = [];
  private waitingBytes = 0;
  private scheduled = false;
  private gathering: NodeJS.Timeout | undefined;
  private inFlight = 0;
  /** Runs in the context of whoever made the coalescer: a batch joins no transaction of one of its callers. */
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

  /** Rejects with `unavailable` when too many callers wait already, or this one has waited for five seconds. */
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

  /** The callers that have waited longest, as many as fit; who has waited too long is refused instead. */
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
      const isAway = asUnavailable(error) !== undefined && !wasDeadlocked(error);
      if (!this.options.isolateFailures || requests.length === 1 || isAway) throw error;
      const outcomes: Outcome<Result>[] = [];
      // One after the other: together they would take every connection there is.
      for (const request of requests) outcomes.push(await this.runAlone(request));
      return outcomes;
    }
  }

  private async runAlone(request: Request): Promise<Outcome<Result>> {
    try {
      const [outcome] = await this.runBatch([request]);
      return outcome ?? { error: new Error('The batch answered no outcome.') };
    } catch (error) {
      return { error };
    }
  }
}

function settle<Request, Result>(
  caller: Waiting<Request, Result>,
  outcome: Outcome<Result> | undefined,
): void {
  if (outcome === undefined) caller.reject(new Error('The batch answered too few outcomes.'));
  else if ('error' in outcome) caller.reject(outcome.error);
  else caller.resolve(outcome.result);
}
