import { setTimeout as wait } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { runningTime } from '../basics/clock/time-limit.js';
import { troubleOf } from '../basics/errors/database-error.js';
import { reasonOf } from '../basics/errors/reason.js';

const RETRY_EVERY_MS = 250;
const TELL_EVERY_MS = 5_000;

/** How to wait for a server that does not answer yet. */
export interface Patience {
  limitMs: number;
  /** Called at once and every five seconds while it waits, with the reason of the last attempt. */
  onWait: (reason: string) => void;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
}

/**
 * Connects; to a server that cannot be reached or is full, again and again. Rejects with the last error, and at once when
 * the server refuses this user or database, which no waiting mends.
 */
export async function connectPatiently(
  options: PostgresDataSourceOptions,
  { limitMs, onWait, signal }: Patience,
): Promise<DataSource> {
  const deadline = runningTime() + limitMs;
  let tellAt = 0;
  for (;;) {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      const now = runningTime();
      if (now >= deadline || signal?.aborted || !mayPass(error)) throw error;
      if (now >= tellAt) {
        onWait(reasonOf(error));
        tellAt = now + TELL_EVERY_MS;
      }
    }
    await wait(RETRY_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

function mayPass(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === 'unreachable' || trouble === 'overloaded';
}
