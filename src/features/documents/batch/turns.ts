import { setImmediate } from 'node:timers/promises';

/**
 * Gives each caller its own turn of the event loop. Plain `setImmediate` callbacks that wait together all run in one turn,
 * and no other work gets in between.
 */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Resolves in a turn of the event loop in which no other caller resumes. */
  next(): Promise<void> {
    this.last = this.last.then(() => setImmediate());
    return this.last;
  }
}
