import { TimeLimit } from '../basics/clock/time-limit.js';

export interface FairLimits {
  /** Maximum tasks running at once. */
  concurrency: number;
  /** Maximum waiting tasks, and maximum tasks of one owner, including running ones. */
  maxWaiting: number;
  maxOfOwner: number;
  /** Maximum bytes of all tasks together; a single task can always be larger. Unlimited if undefined. */
  maxBytes?: number;
  waitLimitMs: number;
}

/** Why a task was not started. */
export type Refusal = 'overloaded' | 'aborted' | 'closed';

interface Entry {
  owner: string;
  bytes: number;
}

interface Waiting extends Entry {
  begin: () => void;
  refuse: (why: Refusal) => void;
}

/**
 * A concurrency limiter that serves owners round-robin, so that one owner cannot starve others. `refusal` creates the
 * error for tasks that are not started.
 */
export class FairLimiter {
  private readonly running = new Set<Entry>();
  /** Waiting tasks by owner; the next owner comes first. */
  private readonly waiting = new Map<string, Waiting[]>();
  private isClosed = false;

  constructor(
    private readonly limits: FairLimits,
    private readonly refusal: (why: Refusal) => Error,
  ) {}

  /** Runs `work`, which holds `bytes`, when it is the owner's turn. Rejects with the error of `work` or with a refusal. */
  async run<Result>(
    { owner, bytes, signal }: Entry & { signal?: AbortSignal | undefined },
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (this.isClosed) throw this.refusal('closed');
    if (signal?.aborted) throw this.refusal('aborted');
    const entry = { owner, bytes };
    if (this.isFull(entry)) throw this.refusal('overloaded');
    if (this.running.size < this.limits.concurrency) this.running.add(entry);
    else await this.turn(entry, signal);
    try {
      return await work();
    } finally {
      this.running.delete(entry);
      this.next()?.begin();
    }
  }

  get runningCount(): number {
    return this.running.size;
  }

  get waitingCount(): number {
    return this.allWaiting().length;
  }

  /** Refuses all waiting tasks and all later ones. */
  close(): void {
    this.isClosed = true;
    for (const { refuse } of this.allWaiting()) refuse('closed');
  }

  private isFull({ owner, bytes }: Entry): boolean {
    const { concurrency, maxWaiting, maxOfOwner, maxBytes = Infinity } = this.limits;
    const waiting = this.allWaiting();
    const all = [...this.running, ...waiting];
    const held = all.reduce((sum, entry) => sum + entry.bytes, 0);
    return (
      all.filter((entry) => entry.owner === owner).length >= maxOfOwner ||
      (all.length > 0 && held + bytes > maxBytes) ||
      (this.running.size >= concurrency && waiting.length >= maxWaiting)
    );
  }

  /** Resolves when the entry can run, and counts it as running. */
  private turn(entry: Entry, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        limit.clear();
        signal?.removeEventListener('abort', abort);
        this.remove(waiting);
      };
      const waiting: Waiting = {
        ...entry,
        begin: () => {
          leave();
          this.running.add(entry);
          resolve();
        },
        refuse: (why) => {
          leave();
          reject(this.refusal(why));
        },
      };
      const abort = () => {
        waiting.refuse('aborted');
      };
      const limit = new TimeLimit(this.limits.waitLimitMs, () => {
        waiting.refuse('overloaded');
      });
      signal?.addEventListener('abort', abort);
      this.waiting.set(entry.owner, [...(this.waiting.get(entry.owner) ?? []), waiting]);
    });
  }

  /** Returns the next task of the owner with the fewest running tasks; among equals, of the one that has waited longest. */
  private next(): Waiting | undefined {
    const owners = [...this.running].map(({ owner }) => owner);
    const running = (owner: string) => owners.filter((one) => one === owner).length;
    let next: string | undefined;
    for (const owner of this.waiting.keys()) {
      if (next === undefined || running(owner) < running(next)) next = owner;
    }
    return next === undefined ? undefined : this.waiting.get(next)?.[0];
  }

  /** Removes a task and moves its owner behind the others. */
  private remove(gone: Waiting): void {
    const rest = this.waiting.get(gone.owner)?.filter((one) => one !== gone) ?? [];
    this.waiting.delete(gone.owner);
    if (rest.length > 0) this.waiting.set(gone.owner, rest);
  }

  private allWaiting(): Waiting[] {
    return [...this.waiting.values()].flat();
  }
}
