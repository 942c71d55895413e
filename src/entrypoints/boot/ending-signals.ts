import { runningTime } from '../../platform/basics/clock/time-limit.js';

/** Ctrl-C, the end that a platform requests, a closed terminal, and Ctrl-\. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Signals within this time belong to the first one: a terminal signals all its programs, and npm and `node --watch` pass
 * their signal on, so one Ctrl-C arrives several times. In ms of running time.
 */
const SAME_REQUEST_MS = 2_000;

/**
 * Aborts `ending` on the first signal that asks this process to end. A further one after two seconds ends it at once, with
 * exit code 1.
 */
export function endOnSignals(ending: AbortController): void {
  let firstAt: number | undefined;
  const handle = (signal: NodeJS.Signals) => {
    firstAt ??= runningTime();
    if (!ending.signal.aborted) ending.abort();
    else if (runningTime() - firstAt >= SAME_REQUEST_MS) endAtOnce(signal);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, handle);
}

function endAtOnce(signal: NodeJS.Signals): never {
  process.stderr.write(`Ended at once by another ${signal}; requests in flight were cut.\n`);
  process.exit(1);
}
