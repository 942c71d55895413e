import type { Writable } from 'node:stream';
import { TimeLimit } from '../../basics/clock/time-limit.js';
import type { AppError } from '../../basics/errors/app-error.js';

/** A response stream; it closes when its client disconnects. */
export type Caller = Pick<Writable, 'closed' | 'once' | 'off'>;

export interface BoundedQueueOptions {
  /** Maximum tasks in progress. */
  concurrency: number;
  /** Maximum tasks of one owner in progress, so that one owner cannot block the others. */
  maxOfOwner?: number;
  /** Maximum waiting tasks. Each one holds its request in memory, so beyond the limit the oldest is rejected. */
  maxWaiting?: number;
  /** Maximum wait, in ms. */
  maxWaitMs?: number;
  /** Creates the error for rejected tasks; its kind is `unavailable`. */
  refusal: () => AppError;
}

interface Waiting {
  owner: string | undefined;
  begin: () => void;
  refuse: () => void;
}

/**
 * Runs tasks in order with limited concurrency, in total and per owner. Rejects a waiting task when it has waited too
 * long, when too many wait, and when its client disconnects. A rejected task never starts.
 */
export class BoundedQueue {
  private readonly waiting = new Set<Waiting>();
  private readonly ofOwner = new Map<string, number>();
  private underWay = 0;

  constructor(private readonly options: BoundedQueueOptions) {}

  /** True if no task is in progress, which means that none is waiting. */
  get isIdle(): boolean {
    return this.underWay === 0;
  }

  get length(): number {
    return this.waiting.size;
  }

  /** Rejects with the refusal or with the error of `work`. Work without an owner has no per-owner limit. */
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

  /** Resolves when another task ends and this one can start. */
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

  /** Starts several tasks if possible, because until now every waiting task may have been at its owner's limit. */
  private beginWaiting(): void {
    for (const next of this.waiting) if (this.hasRoom(next.owner)) next.begin();
  }
}
