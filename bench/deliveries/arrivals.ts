import { setTimeout as pause } from 'node:timers/promises';

/** What the receiver has received since the last reset. Times are those of {@link now}. */
interface Arrivals {
  count: number;
  startedAt: number;
  endedAt: number;
  /** Time of the first arrival of each document, by id. */
  first: [string, number][];
}

/** Returns milliseconds of the machine's clock, which is the same in all processes. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** `what` is count, arrivals or forget. */
export async function ask(
  origin: string,
  what: 'count' | 'arrivals' | 'forget',
): Promise<Arrivals> {
  const response = await fetch(`${origin}/${what}`);
  return (await response.json()) as Arrivals;
}

/** Resolves when this many deliveries have arrived. Throws if none arrives for half a minute. */
export async function untilArrived(origin: string, count: number): Promise<Arrivals> {
  let before = -1;
  let patience = 0;
  for (;;) {
    const arrivals = await ask(origin, 'count');
    if (arrivals.count >= count) return arrivals;
    patience = arrivals.count === before ? patience + 1 : 0;
    if (patience > 600) {
      throw new Error(`Only ${String(arrivals.count)} of ${String(count)} deliveries arrived.`);
    }
    before = arrivals.count;
    await pause(50);
  }
}
