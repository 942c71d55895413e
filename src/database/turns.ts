import { AppError } from '../errors/app-error.js';

interface Queue {
  last: Promise<unknown>;
  /** Work that has not ended, the one under way included. */
  length: number;
}

/** Each waits with its request in memory. */
const MAX_QUEUE = 1_000;

/**
 * Lets work on the same thing happen one after the other within this process. Other processes are not held back: what
 * is written must still be guarded by the database. Work that would meet and be repeated there waits here instead.
 */
export class Turns {
  private readonly queues = new Map<string, Queue>();

  /**
   * Does `work` after all work on `key` that was asked for before, whether or not that succeeded. Throws `unavailable`
   * when too much waits already.
   */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.queues.get(key);
    if (before && before.length >= MAX_QUEUE) throw tooMany();
    const turn = before ? before.last.then(work, work) : work();
    const queue = { last: turn as Promise<unknown>, length: (before?.length ?? 0) + 1 };
    this.queues.set(key, before ? Object.assign(before, queue) : queue);
    try {
      return await turn;
    } finally {
      const now = this.queues.get(key);
      if (now) now.length -= 1;
      if (now?.length === 0) this.queues.delete(key);
    }
  }
}

function tooMany(): AppError {
  return new AppError(
    'unavailable',
    'Too many clients change the same resource at once. Try again shortly; nothing was changed.',
    undefined,
    { retryAfterSeconds: 1 },
  );
}
