import { AppError } from '../errors/app-error.js';
import { asUnavailable } from '../errors/database-error.js';

interface Waiting<Request, Result> {
  request: Request;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/** The outcome of one caller: its own result, or its own error. */
export type Outcome<Result> = { result: Result } | { error: unknown };

export interface CoalescerOptions {
  /** Most requests that go into one statement. */
  maxBatch: number;
  /** Most statements under way at once; while all are, callers gather for the next. */
  maxInFlight: number;
  /**
   * For writes: when a batch fails by its data, each request is run by itself, so that one caller's failure stays its
   * own. The batch must have been one transaction that left nothing behind.
   */
  isolateFailures?: boolean;
}

/** Callers that may wait for one kind of statement; at a thousand a second they would wait for five seconds. */
const MAX_WAITING = 5_000;

/**
 * Sends requests that arrive within one turn of the event loop to the database as one statement (the DataLoader
 * pattern, see docs/adr/0007-coalescing.md). A request never joins a statement that was already sent, so each caller
 * reads a state not older than its own arrival.
 *
 * `runBatch` answers one outcome per request, in order; when it throws, every caller of that batch gets the error.
 */
export class Coalescer<Request, Result> {
  private waiting: Waiting<Request, Result>[] = [];
  private scheduled = false;
  private inFlight = 0;

  constructor(
    private readonly runBatch: (requests: Request[]) => Promise<Outcome<Result>[]>,
    private readonly options: CoalescerOptions,
  ) {}

  /** Rejects at once when too many callers wait already: a slow database must not fill the memory. */
  submit(request: Request): Promise<Result> {
    if (this.waiting.length >= MAX_WAITING) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0) return;
    if (this.inFlight >= this.options.maxInFlight) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const batch = this.waiting.splice(0, this.options.maxBatch);
    this.inFlight += 1;
    this.schedule();
    try {
      const outcomes = await this.runIsolated(batch.map(({ request }) => request));
      batch.forEach((caller, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) caller.reject(new Error('The batch answered too few outcomes.'));
        else if ('error' in outcome) caller.reject(outcome.error);
        else caller.resolve(outcome.result);
      });
    } catch (error) {
      for (const caller of batch) caller.reject(error);
    } finally {
      this.inFlight -= 1;
      this.schedule();
    }
  }

  private async runIsolated(requests: Request[]): Promise<Outcome<Result>[]> {
    try {
      return await this.runBatch(requests);
    } catch (error) {
      if (!this.options.isolateFailures || requests.length === 1 || asUnavailable(error))
        throw error;
      const alone = requests.map(async (request): Promise<Outcome<Result>> => {
        try {
          const [outcome] = await this.runBatch([request]);
          return outcome ?? { error };
        } catch (own) {
          return { error: own };
        }
      });
      return Promise.all(alone);
    }
  }
}

function overloaded(): AppError {
  return new AppError(
    'unavailable',
    'The service has more requests than its database can take. Try again shortly.',
    undefined,
    {
      retryAfterSeconds: 2,
    },
  );
}
