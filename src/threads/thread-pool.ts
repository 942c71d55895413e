import { Worker, type ResourceLimits } from 'node:worker_threads';
import { TimeLimit } from '../clock/time-limit.js';
import type { ThreadProgram } from './thread-program.js';

/** Why a job has no result. */
export type ThreadFailure = 'crowded' | 'timed out' | 'out of memory' | 'crashed' | 'closed';

export class ThreadPoolError extends Error {
  constructor(
    readonly failure: ThreadFailure,
    options?: { cause?: unknown },
  ) {
    super(`The job failed: ${failure}.`, options);
  }
}

/** The module that threads run answers each message with one message. */
export interface ThreadPoolOptions extends ThreadProgram {
  /** Threads at most. The first job starts the first one. */
  threads: number;
  /** Jobs that may wait, in all and of one owner (those under way included). */
  maxWaiting: number;
  maxOfOwner: number;
  /** Bytes that all jobs together may hold; one alone may always be larger. Without it they are not counted. */
  maxBytes?: number;
  /** For a job, from when it begins. */
  timeLimitMs: number;
  /** For waiting. */
  waitLimitMs: number;
  /** After so long without a job a thread ends. */
  idleMs: number;
  resourceLimits: ResourceLimits;
}

interface Job {
  message: unknown;
  owner: string;
  bytes: number;
  resolve: (result: unknown) => void;
  reject: (error: ThreadPoolError) => void;
  limit?: TimeLimit;
}

interface Thread {
  worker: Worker;
  job: Job | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** Runs jobs in a few threads. A job that takes too long or too much memory ends with its thread, and nothing else does. */
export class ThreadPool {
  private readonly threads = new Set<Thread>();
  private readonly waiting: Job[] = [];
  /** When owners who wait for more had a turn last. */
  private readonly turns = new Map<string, number>();
  private turn = 0;
  private closed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  /** What the thread answers to the message, which holds `bytes`. Rejects with a {@link ThreadPoolError}. */
  run(owner: string, message: unknown, bytes = 0): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const job: Job = { message, owner, bytes, resolve, reject };
      if (this.closed) reject(new ThreadPoolError('closed'));
      else if (this.isCrowded(job)) reject(new ThreadPoolError('crowded'));
      else this.enqueue(job);
    });
  }

  /** Ends all threads; what is under way fails. */
  async close(): Promise<void> {
    this.closed = true;
    for (const job of this.waiting.splice(0)) settle(job).reject(new ThreadPoolError('closed'));
    await Promise.all(
      [...this.threads].map((thread) => this.end(thread, new ThreadPoolError('closed'))),
    );
  }

  private isCrowded({ owner, bytes }: Job): boolean {
    const jobs = [...this.underWay(), ...this.waiting];
    const { maxOfOwner, maxWaiting, maxBytes = Infinity, threads } = this.options;
    const held = jobs.reduce((sum, job) => sum + job.bytes, 0);
    const idle = [...this.threads].some(({ job }) => !job) || this.threads.size < threads;
    return (
      jobs.filter((job) => job.owner === owner).length >= maxOfOwner ||
      (jobs.length > 0 && held + bytes > maxBytes) ||
      (!idle && this.waiting.length >= maxWaiting)
    );
  }

  private enqueue(job: Job): void {
    job.limit = new TimeLimit(this.options.waitLimitMs, () => {
      this.waiting.splice(this.waiting.indexOf(job), 1);
      job.reject(new ThreadPoolError('crowded'));
    });
    this.waiting.push(job);
    this.next();
  }

  private next(): void {
    const free = [...this.threads].find(({ job }) => !job);
    const job = free || this.threads.size < this.options.threads ? this.take() : undefined;
    if (job) this.start(free ?? this.spawn(), job);
  }

  /** Owners take turns, those with the fewest jobs under way first: nobody waits for another one's batch. */
  private take(): Job | undefined {
    const busy = [...this.underWay()].map(({ owner }) => owner);
    const underWay = (owner: string) => busy.filter((one) => one === owner).length;
    const lastTurn = (owner: string) => this.turns.get(owner) ?? 0;
    const owner = [...new Set(this.waiting.map((job) => job.owner))].reduce(
      (best: string | undefined, one) =>
        best === undefined ||
        underWay(one) < underWay(best) ||
        (underWay(one) === underWay(best) && lastTurn(one) < lastTurn(best))
          ? one
          : best,
      undefined,
    );
    if (owner === undefined) {
      this.turns.clear();
      return undefined;
    }
    const [job] = this.waiting.splice(
      this.waiting.findIndex((waiting) => waiting.owner === owner),
      1,
    );
    // Whoever has nothing more to wait for comes first again.
    if (this.waiting.some((waiting) => waiting.owner === owner)) {
      this.turns.set(owner, (this.turn += 1));
    } else this.turns.delete(owner);
    return job;
  }

  private *underWay(): Generator<Job> {
    for (const { job } of this.threads) if (job) yield job;
  }

  private start(thread: Thread, job: Job): void {
    clearTimeout(thread.idle);
    job.limit?.clear();
    thread.job = job;
    job.limit = new TimeLimit(this.options.timeLimitMs, () => {
      void this.end(thread, new ThreadPoolError('timed out'));
    });
    thread.worker.ref();
    thread.worker.postMessage(job.message);
  }

  private spawn(): Thread {
    const { entry, execArgv, resourceLimits } = this.options;
    const worker = new Worker(entry, { execArgv, resourceLimits, env: {}, stdin: false });
    const thread: Thread = { worker, job: undefined, idle: undefined };
    this.threads.add(thread);
    worker.on('message', (result: unknown) => {
      const { job } = thread;
      thread.job = undefined;
      if (job) settle(job).resolve(result);
      this.rest(thread);
      this.next();
    });
    worker.on('error', (cause: NodeJS.ErrnoException) => {
      const memory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
      void this.end(thread, new ThreadPoolError(memory ? 'out of memory' : 'crashed', { cause }));
    });
    worker.on('exit', () => {
      void this.end(thread, new ThreadPoolError('crashed'));
    });
    return thread;
  }

  /** An idle thread keeps no process alive, and ends after a while. */
  private rest(thread: Thread): void {
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      void this.end(thread, new ThreadPoolError('closed'));
    }, this.options.idleMs);
    thread.idle.unref();
  }

  private async end(thread: Thread, error: ThreadPoolError): Promise<void> {
    if (!this.threads.delete(thread)) return;
    clearTimeout(thread.idle);
    const { job } = thread;
    thread.job = undefined;
    if (job) settle(job).reject(error);
    if (!this.closed) this.next();
    await thread.worker.terminate();
  }
}

function settle(job: Job): Job {
  job.limit?.clear();
  return job;
}
