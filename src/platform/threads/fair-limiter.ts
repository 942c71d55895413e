import { TimeLimit } from '../basics/clock/time-limit.js';

export interface FairLimits {
  /** How much runs at once. */
  concurrency: number;
  /** How many may wait, and how many one owner may have, running ones included. */
  maxWaiting: number;
  maxOfOwner: number;
  /** Bytes that all together may hold; one alone may always be larger. Not limited when it is left out. */
  maxBytes?: number;
  waitLimitMs: number;
}

/** Why something was never begun. */
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
 * A concurrency limiter whose users take turns: nobody waits for all that another one has asked for. `refusal` makes the
 * error for what is never begun.
 */
export class FairLimiter {
  private readonly running = new Set<Entry>();
  /** By owner; the one whose turn is next comes first. */
  private readonly waiting = new Map<string, Waiting[]>();
  private isClosed = false;

  constructor(
    private readonly limits: FairLimits,
    private readonly refusal: (why: Refusal) => Error,
  ) {}

  /** Does `work`, which holds `bytes`, when it is the owner's turn. Rejects as `work` does, or with a refusal. */
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

  /** Refuses what waits, and whatever is asked for from now on. */
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

  /** Resolves when the entry may run, and is counted as running. */
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

  /** Of the owner with the fewest running, among equals of the one whose turn it is. */
  private next(): Waiting | undefined {
    const owners = [...this.running].map(({ owner }) => owner);
    const running = (owner: string) => owners.filter((one) => one === owner).length;
    let next: string | undefined;
    for (const owner of this.waiting.keys()) {
      if (next === undefined || running(owner) < running(next)) next = owner;
    }
    return next === undefined ? undefined : this.waiting.get(next)?.[0];
  }

  /** Whoever had a turn comes after the others. */
  private remove(gone: Waiting): void {
    const rest = this.waiting.get(gone.owner)?.filter((one) => one !== gone) ?? [];
    this.waiting.delete(gone.owner);
    if (rest.length > 0) this.waiting.set(gone.owner, rest);
  }

  private allWaiting(): Waiting[] {
    return [...this.waiting.values()].flat();
  }
}
