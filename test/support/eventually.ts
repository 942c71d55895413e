import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls `look` until `isSo` holds, and returns the value. Fails after `withinMs`. For things that the test clock does not
 * move.
 */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean = Boolean,
  withinMs = 60_000,
): Promise<Value> {
  const end = performance.now() + withinMs;
  let pauseMs = 5;
  for (;;) {
    const value = await look();
    if (isSo(value)) return value;
    if (performance.now() > end) {
      throw new Error(
        `The condition did not hold within ${String(withinMs)} ms: ${JSON.stringify(value)}`,
      );
    }
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, 50);
  }
}
