import { WINDOWS, type Window, type WindowLimits } from '../../src/features/auth/plan.js';
import type { Take, WindowState } from '../../src/features/rate-limit/rate-limit-storage.js';

const LENGTHS: Record<Window, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** One account's windows in plain variables: what storages must do, without concurrency. */
export class WindowsModel {
  private windows: Partial<Record<Window, WindowState>> = {};

  age(milliseconds: number): void {
    for (const state of Object.values(this.windows)) state.resetAt -= milliseconds;
  }

  take(limits: WindowLimits, now: number): Take {
    const running = {
      minute: this.running('minute', now),
      hour: this.running('hour', now),
      day: this.running('day', now),
    };
    const admitted = WINDOWS.every((window) => running[window].used < (limits[window] ?? Infinity));
    if (admitted) {
      for (const window of WINDOWS) running[window].used += 1;
      this.windows = running;
    }
    return { admitted, now, windows: structuredClone(running) };
  }

  private running(window: Window, now: number): WindowState {
    const state = this.windows[window];
    return state && now < state.resetAt
      ? { ...state }
      : { used: 0, resetAt: now + LENGTHS[window] };
  }
}
