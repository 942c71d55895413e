import { Clock } from '../../src/platform/basics/clock/clock.js';

/** A clock that stands still until a test advances it. */
export class TestClock extends Clock {
  private current = new Date('2026-03-01T12:00:00.000Z').getTime();

  override now(): Date {
    return new Date(this.current);
  }

  advance(milliseconds: number): void {
    this.current += milliseconds;
  }
}
