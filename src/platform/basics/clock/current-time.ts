/** Offset from the monotonic clock, which does not change when this machine's clock is set. */
let offsetMs = Date.now() - performance.now();

/**
 * Returns the time of the database's clock, which all processes share, in milliseconds since 1970. Returns this machine's
 * time until {@link readDatabaseTime} has been called.
 */
export function currentTime(): number {
  return performance.now() + offsetMs;
}

/**
 * Sets the time to the database's. `ask` returns it in milliseconds since 1970. That time was true at some moment between
 * the query and the response. If the current time is within that range, it does not change, so slow responses cause no
 * jitter. Rejects and changes nothing if `ask` rejects.
 */
export async function readDatabaseTime(ask: () => Promise<number>): Promise<void> {
  const askedAt = performance.now();
  const databaseTime = await ask();
  const receivedAt = performance.now();
  offsetMs = Math.min(Math.max(offsetMs, databaseTime - receivedAt), databaseTime - askedAt);
}
