import { type ResourceLimits, SHARE_ENV } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { TimeLimit } from '../basics/clock/time-limit.js';
import { AppError } from '../basics/errors/app-error.js';
import {
  FairLimiter,
  type FairLimits,
  type Refusal,
  type Turn,
} from '../basics/concurrency/fair-limiter.js';
import {
  resultOf,
  type TaskOutcome,
  type ThreadModule,
  type ThreadSettings,
} from './thread-task.js';

type ThreadFailure = Refusal | 'timed out' | 'out of memory' | 'crashed';

export class ThreadPoolError extends Error {
  constructor(
    readonly failure: ThreadFailure,
    options?: { cause?: unknown },
  ) {
    super(`The task in a thread failed: ${failure}.`, options);
  }
}

/** The module's default export comes from `threadTask`. The number of threads is the number of concurrent tasks. */
export interface ThreadPoolOptions extends ThreadModule, Omit<FairLimits, 'concurrency'> {
  /** Maximum threads. The first task starts the first one. */
  threads: number;
  /** Time limit of a task, from its start. */
  timeLimitMs: number;
  /** Idle time after which a thread ends. */
  idleMs: number;
  resourceLimits: ResourceLimits;
  /** Linux niceness of the threads, 0 to 19. Default 0: the priority of requests. */
  niceness?: number;
  /** True to give threads the environment of the process, such as variables of PostgreSQL clients; otherwise it is empty. */
  sharesEnvironment?: boolean;
}

interface TaskOptions {
  /** Bytes that the task holds, for `maxBytes`. */
  bytes?: number;
  turn?: Turn;
  /** Removes a waiting task from the queue, or ends a running one with its thread. */
  signal?: AbortSignal;
  /** True to let a running task finish after `signal`, because its thread is expensive to load. */
  keepsThread?: boolean;
  /** Objects that move to the thread instead of being copied, such as a MessagePort for progress. */
  transferList?: NonNullable<Parameters<Piscina['run']>[1]>['transferList'];
}

/**
 * Runs tasks in a few threads, which piscina starts, replaces and ends. A task that takes too much time or memory ends
 * with its thread and affects no others. Tasks wait here, because piscina's queue knows nothing of owners.
 */
export class ThreadPool {
  /** Open pools of this process. */
  private static readonly open = new Set<ThreadPool>();

  private readonly piscina: Piscina<unknown, TaskOutcome>;
  private readonly limiter: FairLimiter;
  private isClosed = false;

  constructor(private readonly options: ThreadPoolOptions) {
    const { filename, execArgv, threads, idleMs, resourceLimits } = options;
    const { sharesEnvironment = false, niceness = 0 } = options;
    this.limiter = new FairLimiter(
      { ...options, concurrency: threads },
      (why) => new ThreadPoolError(why),
    );
    this.piscina = new Piscina({
      filename,
      execArgv,
      env: sharesEnvironment ? SHARE_ENV : {},
      workerData: { niceness } satisfies ThreadSettings,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      resourceLimits,
      // A thread that waits with Atomics would block what libraries do between two tasks.
      atomics: 'disabled',
      recordTiming: false,
    });
    // A thread that ends between tasks does no harm: the next task starts another one.
    this.piscina.on('error', () => undefined);
    ThreadPool.open.add(this);
  }

  /** Returns the number of tasks in all pools of this process. */
  static tasks(): { running: number; waiting: number } {
    const limiters = [...this.open].map(({ limiter }) => limiter);
    return {
      running: limiters.reduce((sum, { runningCount }) => sum + runningCount, 0),
      waiting: limiters.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
    };
  }

  /**
   * Runs a task and returns its result. The threads are shared fairly between owners. Rejects with the `AppError` that
   * the module threw, or with a {@link ThreadPoolError}.
   */
  run(owner: string, task: unknown, options: TaskOptions = {}): Promise<unknown> {
    const { bytes = 0, turn, signal, keepsThread = false, transferList } = options;
    const ends = keepsThread ? undefined : signal;
    return this.limiter.run({ owner, bytes, turn, signal }, async () =>
      resultOf(await this.inThread(task, ends, transferList)),
    );
  }

  /** Ends all threads. Running and waiting tasks fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    ThreadPool.open.delete(this);
    this.limiter.close();
    await this.piscina.destroy();
  }

  private async inThread(
    task: unknown,
    signal: AbortSignal | undefined,
    transferList: TaskOptions['transferList'],
  ): Promise<TaskOutcome> {
    const late = new AbortController();
    const limit = new TimeLimit(this.options.timeLimitMs, () => {
      late.abort();
    });
    const ends = signal ? AbortSignal.any([late.signal, signal]) : late.signal;
    try {
      return await this.piscina.run(task, { signal: ends, transferList });
    } catch (cause) {
      if (this.isClosed) throw new ThreadPoolError('closed');
      if (late.signal.aborted) throw new ThreadPoolError('timed out');
      if (signal?.aborted) throw new ThreadPoolError('aborted');
      const { code } = cause as NodeJS.ErrnoException;
      const memory = code === 'ERR_WORKER_OUT_OF_MEMORY';
      throw new ThreadPoolError(memory ? 'out of memory' : 'crashed', { cause });
    } finally {
      limit.clear();
    }
  }
}

const BUSY: readonly ThreadPoolError['failure'][] = ['timed out', 'overloaded', 'closed'];

/** Returns an `unavailable` error with the message if the pool was too busy for the task; otherwise the error unchanged. */
export function unavailableIfBusy(error: unknown, message: string): unknown {
  if (!(error instanceof ThreadPoolError) || !BUSY.includes(error.failure)) return error;
  return new AppError('unavailable', message, undefined, { retryAfterSeconds: 5 });
}
