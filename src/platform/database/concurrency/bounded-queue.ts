import type { Writable } from 'node:stream';
import { TimeLimit } from '../../basics/clock/time-limit.js';
import type { AppError } from '../../basics/errors/app-error.js';

/** Who waits for what is done: an answer to a client, which closes when the client goes. */
export type Caller = Pick<Writable, 'closed' | 'once' | 'off'>;

export interface BoundedQueueOptions {
  /** How much may be done at once. */
  concurrency: number;
  /** How much of that one owner may have, so that nobody waits for what only others hold. */
  maxOfOwner?: number;
  /** How many may wait, each with its request in memory; beyond, who has waited longest is refused. */
  maxWaiting?: number;
  /** Nobody wants the answer any more to a request that was kept waiting for longer. */
  maxWaitMs?: number;
  /** What is told to those who are refused; of kind `unavailable`. */
  refusal: () => AppError;
}

interface Waiting {
  owner: string | undefined;
  begin: () => void;
  refuse: () => void;
}

/**
 * Does work in the order it was asked for, so much at once, and of one owner no more than its share. Who waits is refused
 * after a time, when too many wait, and as soon as its client has gone; what was refused is never begun.
 */
export class BoundedQueue {
  private readonly waiting = new Set<Waiting>();
  private readonly ofOwner = new Map<string, number>();
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

  /** Rejects with the refusal, or as `work` does. Work without an owner has no share to keep to. */
  async run<Result>(work: () => Promise<Result>, caller?: Caller, owner?: string): Promise<Result> {
    if (caller?.closed) throw this.options.refusal();
    if (this.hasRoom(owner)) this.count(owner, 1);
    else await this.turn(caller, owner);
    try {
      return await work();
    } finally {
      this.count(owner, -1);
      this.beginWaiting();
    }
  }

  /** Resolves when somebody who is done makes room. */
  private turn(caller?: Caller, owner?: string): Promise<void> {
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
        this.count(owner, 1);
        resolve();
      };
      const refuse = () => {
        leave();
        reject(refusal());
      };
      const waiting = { owner, begin, refuse };
      const limit = new TimeLimit(maxWaitMs, refuse);
      caller?.once('close', refuse);
      this.waiting.add(waiting);
    });
  }

  private hasRoom(owner?: string): boolean {
    const { concurrency, maxOfOwner = concurrency } = this.options;
    if (this.underWay >= concurrency) return false;
    return owner === undefined || (this.ofOwner.get(owner) ?? 0) < maxOfOwner;
  }

  private count(owner: string | undefined, change: 1 | -1): void {
    this.underWay += change;
    if (owner === undefined) return;
    const number = (this.ofOwner.get(owner) ?? 0) + change;
    if (number === 0) this.ofOwner.delete(owner);
    else this.ofOwner.set(owner, number);
  }

  /** Room for several may have been left: for some time all who waited may have had their share. */
  private beginWaiting(): void {
    for (const next of this.waiting) if (this.hasRoom(next.owner)) next.begin();
  }
}
