import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the condition holds; the test's own time limit is the only limit. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5);
}
