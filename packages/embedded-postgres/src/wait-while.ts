import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until `condition` is false, checking every `pollMs`, for at most `limitMs`. Counts delays instead of reading a
 * clock, so time in which the process is suspended does not count.
 */
export async function waitWhile(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
  pollMs: number,
): Promise<void> {
  for (let waited = 0; waited < limitMs && (await condition()); waited += pollMs) {
    await delay(pollMs);
  }
}
