import type { Writable } from 'node:stream';
import { TimeLimit } from '../clock/time-limit.js';
import type { AppError } from '../errors/app-error.js';

/** Who waits for what is done: an answer to a client, which closes when the client goes. */
export type Caller = Pick<Writable, 'closed' | 'once' | 'off'>;

export interface BoundedQueueOptions {
  /** How much may be done at once. */
  concurrency: number;
  /** How many may wait, each with its request in memory; beyond, who has waited longest is refused. */
  maxWaiting?: number;
  /** Nobody wants the answer any more to a request that was kept waiting for longer. */
  maxWaitMs?: number;
  /** What is told to those who are refused; of kind `unavailable`. */
  refusal: () => AppError;
}

interface Waiting {
  begin: () => void;
  refuse: () => void;
}

/**
 * Does work in the order it was asked for, so much at once. Who waits is refused after a time, when too many wait, and as
 * soon as its client has gone; what was refused is never begun.
 */
export class BoundedQueue {
  private readonly waiting = new Set<Waiting>();
  private underWay = 0;

  constructor(private readonly options: BoundedQueueOptions) {}

  /** Whether nothing is under way, and so nobody waits. */
  get isIdle(): boolean {
    return this.underWay === 0;
  }

  /** How many wait. */
  get length(): number {
    return this.waiting.size;
  }

  /** Rejects with the refusal, or as `work` does. */
  async run<Result>(work: () => Promise<Result>, caller?: Caller): Promise<Result> {
    if (caller?.closed) throw this.options.refusal();
    if (this.underWay < this.options.concurrency) this.underWay += 1;
    else await this.turn(caller);
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  /** Resolves when somebody who is done passes the place on. */
  private turn(caller?: Caller): Promise<void> {
    const { maxWaiting = 1_000, maxWaitMs = 5_000, refusal } = this.options;
    const [oldest] = this.waiting;
    if (this.waiting.size >= maxWaiting) oldest?.refuse();
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(waiting);
        limit.clear();
        caller?.off('close', refuse);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const refuse = () => {
        leave();
        reject(refusal());
      };
      const waiting = { begin, refuse };
      const limit = new TimeLimit(maxWaitMs, refuse);
      caller?.once('close', refuse);
      this.waiting.add(waiting);
    });
  }

  private passOn(): void {
    const [next] = this.waiting;
    if (next) next.begin();
    else this.underWay -= 1;
  }
}
