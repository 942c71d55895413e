/** How often the event loop is looked at. */
const BEAT_MS = 250;
/** A loop that is later than this was held: by SIGSTOP, a laptop or virtual machine asleep, or work that blocked it. */
const PAUSE_MS = 1_000;

let lastSeenAt = performance.now();
let pausedMs = 0;
let pauseEndedAt = -Infinity;

// Started with the module, so that a test that fakes timers later does not stop it for the tests after it.
setInterval(look, BEAT_MS).unref();

/** Notes that the process runs, and a pause if it did not for a while. */
function look(): number {
  const now = performance.now();
  if (now - lastSeenAt > BEAT_MS + PAUSE_MS) {
    pausedMs += now - lastSeenAt;
    pauseEndedAt = now;
  }
  lastSeenAt = now;
  return now;
}

/** Milliseconds of a clock that only goes on while the process runs. For limits; a lease in the database goes on. */
export function runningTime(): number {
  return look() - pausedMs;
}

/** Whether the process was paused after `moment`, of `performance.now()`. */
export function pausedSince(moment: number): boolean {
  look();
  return pauseEndedAt > moment;
}

/**
 * Calls `over` when the process has run for `limitMs`, unless it is cleared before. A pause does not count, and timers
 * run before sockets are read: so what has arrived by the end is read first, and may clear the limit.
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

/** What `work` gives within `limitMs` of the process's running time; rejects with `late()` after it. */
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
