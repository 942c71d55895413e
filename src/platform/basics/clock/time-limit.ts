/** Interval between two checks of the event loop. */
const BEAT_MS = 250;
/** A longer delay of the event loop is a pause: SIGSTOP, a sleeping laptop or virtual machine, or blocking work. */
const PAUSE_MS = 1_000;

let lastSeenAt = performance.now();
let pausedMs = 0;
let pauseEndedAt = -Infinity;

// Starts with the module: a test that fakes timers later would otherwise stop it for all tests after it.
setInterval(look, BEAT_MS).unref();

/** Detects a pause since the last check, and returns the current time. */
function look(): number {
  const now = performance.now();
  if (now - lastSeenAt > BEAT_MS + PAUSE_MS) {
    pausedMs += now - lastSeenAt;
    pauseEndedAt = now;
  }
  lastSeenAt = now;
  return now;
}

/**
 * Returns how long the process has run, in milliseconds, without pauses. Use it for time limits, but not for leases in
 * the database: those continue during pauses.
 */
export function runningTime(): number {
  return look() - pausedMs;
}

/** Returns true if the process was paused after `moment`, a time of `performance.now()`. */
export function pausedSince(moment: number): boolean {
  look();
  return pauseEndedAt > moment;
}

/**
 * Calls `over` once the process has run for `limitMs`, unless it is cleared first. Pauses do not count. Node runs timers
 * before it reads sockets, so the last step waits for data that has already arrived, which may clear the limit.
 */
export class TimeLimit {
  private readonly endsAt: number;
  private timer: NodeJS.Timeout;
  private lastLook: NodeJS.Immediate | undefined;

  constructor(
    limitMs: number,
    private readonly over: () => void,
  ) {
    this.endsAt = runningTime() + limitMs;
    this.timer = setTimeout(this.check, limitMs);
  }

  clear(): void {
    clearTimeout(this.timer);
    clearImmediate(this.lastLook);
  }

  private readonly check = (): void => {
    const left = this.endsAt - runningTime();
    if (left > 0) this.timer = setTimeout(this.check, Math.ceil(left));
    else this.lastLook = setImmediate(this.over);
  };
}

/** Returns the result of `work`, or rejects with `late()` after `limitMs` of the process's running time. */
export function within<Result>(
  limitMs: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const limit = new TimeLimit(limitMs, () => {
      reject(late());
    });
    work.then(resolve, reject).finally(() => {
      limit.clear();
    });
  });
}
