import { setImmediate } from 'node:timers/promises';

/** Time that a loop may take before others get a turn of the event loop, in milliseconds. */
const TURN_MS = 5;

/** Lets other work run during a long loop. */
export class Turns {
  private startedAt = performance.now();

  /** Call before each step. Resolves in a later turn of the event loop if this one has taken too long. */
  async next(): Promise<void> {
    if (performance.now() - this.startedAt < TURN_MS) return;
    await setImmediate();
    this.startedAt = performance.now();
  }
}
