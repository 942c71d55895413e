/** Difference to the monotonic clock, which a change of this machine's clock does not affect. */
let offsetMs = Date.now() - performance.now();

/**
 * Returns the time of the database's clock, which all processes share, in milliseconds since 1970. Until {@link
 * readDatabaseTime} was called it is this machine's time.
 */
export function currentTime(): number {
  return performance.now() + offsetMs;
}

/**
 * Sets the time to the database's, which `ask` returns in milliseconds since 1970. The result was true at some moment
 * between question and answer; a time within that range stays, so that slow answers cause no jitter. If `ask` rejects,
 * rejects and changes nothing.
 */
export async function readDatabaseTime(ask: () => Promise<number>): Promise<void> {
  const askedAt = performance.now();
  const databaseTime = await ask();
  const answeredAt = performance.now();
  offsetMs = Math.min(Math.max(offsetMs, databaseTime - answeredAt), databaseTime - askedAt);
}
