import { AppError } from '../errors/app-error.js';
import { BoundedQueue, type Caller } from './bounded-queue.js';

/**
 * A mutex for each key: work on one key is done one after the other within this process. Other processes are not held
 * back, so what is written must still be guarded by the database; this only keeps work from meeting there.
 */
export class KeyedMutex {
  private readonly queues = new Map<string, BoundedQueue>();

  /** `refusal` is the error for those who would wait for too long, or behind too many. */
  constructor(private readonly refusal: () => AppError = tooManyWriters) {}

  /**
   * Does `work` after all work on `key` that was asked for before, whether or not that succeeded. Rejects with the
   * refusal after five seconds, when a thousand wait, and when the caller goes.
   */
  async run<Result>(key: string, work: () => Promise<Result>, caller?: Caller): Promise<Result> {
    const queue = this.queues.get(key) ?? this.open(key);
    try {
      return await queue.run(work, caller);
    } finally {
      if (queue.isIdle) this.queues.delete(key);
    }
  }

  private open(key: string): BoundedQueue {
    const queue = new BoundedQueue({ concurrency: 1, refusal: this.refusal });
    this.queues.set(key, queue);
    return queue;
  }
}

function tooManyWriters(): AppError {
  return new AppError(
    'unavailable',
    'Too many clients change the same resource at once. Try again shortly; nothing was changed.',
    undefined,
    { retryAfterSeconds: 1 },
  );
}
