import type { Writable } from 'node:stream';
import { TimeLimit } from '../clock/time-limit.js';

/** A response stream; it closes when its client disconnects. */
export type Caller = Pick<Writable, 'closed' | 'once' | 'off'>;

export interface FairLimits {
  /** Maximum tasks running at once. */
  concurrency: number;
  /** Maximum running tasks of one owner. Unlimited if undefined. */
  maxRunningOfOwner?: number;
  /** Maximum waiting tasks. Each one holds its request in memory. */
  maxWaiting: number;
  /** Maximum tasks of one owner, including running ones. Unlimited if undefined. */
  maxOfOwner?: number;
  /** Maximum bytes of all tasks together; a single task can always be larger. Unlimited if undefined. */
  maxBytes?: number;
  waitLimitMs: number;
}

/** Why a task was not started. `aborted` also means that its client disconnected. */
export type Refusal = 'overloaded' | 'aborted' | 'closed';

/** Tasks of a lower rank run first, in three of four turns; in the fourth, the one with the lowest number. Default 0. */
export interface Turn {
  rank: number;
  number: number;
}

interface Task {
  /** Tasks without an owner share one turn, and have no limit of their own. */
  owner?: string | undefined;
  bytes?: number;
  turn?: Turn | undefined;
  signal?: AbortSignal | undefined;
  caller?: Caller | undefined;
}

interface Waiting {
  turn: Turn;
  begin: () => void;
  refuse: (why: Refusal) => void;
}

/** Every fourth turn ignores ranks and serves the oldest work, so that a high rank never starves. */
const TURNS = 4;
const FIRST: Turn = { rank: 0, number: 0 };

/**
 * A concurrency limiter that serves owners round-robin, so that one owner cannot starve others. Tasks with ranks run in the
 * order of these. `refusal` creates the error for tasks that are not started.
 */
export class FairLimiter {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  /** Waiting tasks by owner, lowest rank first; the next owner comes first. */
  private readonly waiting = new Map<string, Waiting[]>();
  private turns = 0;
  private waitingTasks = 0;
  /** Bytes of running and waiting tasks. */
  private heldBytes = 0;
  private isClosed = false;

  constructor(
    private readonly limits: FairLimits,
    private readonly refusal: (why: Refusal) => Error,
  ) {}

  /** Runs `work` when it is the owner's turn. Rejects with the error of `work` or with a refusal. */
  async run<Result>(task: Task, work: () => Promise<Result>): Promise<Result> {
    const { owner = '', bytes = 0, signal, caller } = task;
    if (this.isClosed) throw this.refusal('closed');
    if (signal?.aborted || caller?.closed) throw this.refusal('aborted');
    if (this.isFull(owner, bytes)) throw this.refusal('overloaded');
    this.heldBytes += bytes;
    try {
      if (this.hasRoom(owner)) this.count(owner, 1);
      else await this.turn(owner, task);
      try {
        return await work();
      } finally {
        this.count(owner, -1);
      }
    } finally {
      this.heldBytes -= bytes;
      for (let next = this.next(); next !== undefined; next = this.next()) next.begin();
    }
  }

  get runningCount(): number {
    return this.running;
  }

  get waitingCount(): number {
    return this.waitingTasks;
  }

  /** Refuses all waiting tasks and all later ones. */
  close(): void {
    this.isClosed = true;
    for (const tasks of [...this.waiting.values()])
      for (const { refuse } of [...tasks]) refuse('closed');
  }

  private isFull(owner: string, bytes: number): boolean {
    const { maxOfOwner = Infinity, maxBytes = Infinity } = this.limits;
    const ofOwner = (this.runningOf.get(owner) ?? 0) + (this.waiting.get(owner)?.length ?? 0);
    const isEmpty = this.running + this.waitingTasks === 0;
    return ofOwner >= maxOfOwner || (!isEmpty && this.heldBytes + bytes > maxBytes);
  }

  private hasRoom(owner: string): boolean {
    const { concurrency, maxRunningOfOwner = Infinity } = this.limits;
    if (this.running >= concurrency) return false;
    return owner === '' || (this.runningOf.get(owner) ?? 0) < maxRunningOfOwner;
  }

  private count(owner: string, change: 1 | -1): void {
    this.running += change;
    const number = (this.runningOf.get(owner) ?? 0) + change;
    if (number === 0) this.runningOf.delete(owner);
    else this.runningOf.set(owner, number);
  }

  /** Resolves when the task can run, and counts it as running. */
  private turn(owner: string, { turn = FIRST, signal, caller }: Task): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        limit.clear();
        signal?.removeEventListener('abort', abort);
        caller?.off('close', abort);
        this.remove(owner, waiting);
      };
      const waiting: Waiting = {
        turn,
        begin: () => {
          leave();
          this.count(owner, 1);
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
      caller?.once('close', abort);
      const tasks = this.waiting.get(owner) ?? [];
      tasks.splice(tasks.findLastIndex((one) => one.turn.rank <= turn.rank) + 1, 0, waiting);
      this.waiting.set(owner, tasks);
      this.waitingTasks += 1;
      if (this.waitingTasks > this.limits.maxWaiting) this.newestOfLargest()?.refuse('overloaded');
    });
  }

  /**
   * Returns the next task: the one with the lowest rank or number, among equals of the owner with the fewest running tasks, and among
   * equals of the one that has waited longest.
   */
  private next(): Waiting | undefined {
    const ignoresRanks = this.turns % TURNS === TURNS - 1;
    let next: Waiting | undefined;
    let [lowest, fewest] = [Infinity, Infinity];
    for (const [owner, tasks] of this.waiting) {
      const first = ignoresRanks ? lowestNumber(tasks) : tasks[0];
      if (!first || !this.hasRoom(owner)) continue;
      const place = ignoresRanks ? first.turn.number : first.turn.rank;
      const running = this.runningOf.get(owner) ?? 0;
      if (place > lowest || (place === lowest && running >= fewest)) continue;
      [next, lowest, fewest] = [first, place, running];
    }
    if (next) this.turns += 1;
    return next;
  }

  /** Returns the newest task of the owner with the most waiting tasks. */
  private newestOfLargest(): Waiting | undefined {
    const queues = [...this.waiting.values()];
    const most = Math.max(...queues.map(({ length }) => length));
    return queues.findLast(({ length }) => length === most)?.at(-1);
  }

  /** Removes a task and moves its owner behind the others. */
  private remove(owner: string, gone: Waiting): void {
    const tasks = this.waiting.get(owner) ?? [];
    const at = tasks.indexOf(gone);
    if (at < 0) return;
    tasks.splice(at, 1);
    this.waitingTasks -= 1;
    this.waiting.delete(owner);
    if (tasks.length > 0) this.waiting.set(owner, tasks);
  }
}

function lowestNumber(tasks: readonly Waiting[]): Waiting | undefined {
  let lowest = tasks[0];
  for (const task of tasks) if (task.turn.number < (lowest?.turn.number ?? 0)) lowest = task;
  return lowest;
}
