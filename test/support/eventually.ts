import { setTimeout as pause } from 'node:timers/promises';

/** Looks again and again until what is seen is so, and gives it; fails after `withinMs`. For what no clock of ours moves. */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean = Boolean,
  withinMs = 30_000,
): Promise<Value> {
  const end = performance.now() + withinMs;
  let pauseMs = 5;
  for (;;) {
    const value = await look();
    if (isSo(value)) return value;
    if (performance.now() > end) {
      throw new Error(`Not so within ${String(withinMs)} ms: ${JSON.stringify(value)}`);
    }
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, 50);
  }
}
