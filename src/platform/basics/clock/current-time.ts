/** How far time goes on by the monotonic clock, so that a step of this machine's clock moves nothing. */
let offsetMs = Date.now() - performance.now();

/**
 * Returns the time in milliseconds since 1970 by the database's clock, which all processes share; by this machine's clock
 * at the process's start until {@link readDatabaseTime} has been called.
 */
export function currentTime(): number {
  return performance.now() + offsetMs;
}

/**
 * Sets the time to the database's, as `ask` returns it in milliseconds since 1970. The answer was true at some moment
 * between question and answer: a time that it does not contradict stays, so that slow answers make no jitter. Rejects as
 * `ask` does, and then changes nothing.
 */
export async function readDatabaseTime(ask: () => Promise<number>): Promise<void> {
  const askedAt = performance.now();
  const databaseTime = await ask();
  const answeredAt = performance.now();
  offsetMs = Math.min(Math.max(offsetMs, databaseTime - answeredAt), databaseTime - askedAt);
}
