import { setTimeout as pause } from 'node:timers/promises';

/** What the receiver has seen since it last forgot; times as of {@link now}. */
export interface Arrivals {
  count: number;
  startedAt: number;
  endedAt: number;
  /** When each document came first, by its id. */
  first: [string, number][];
}

/** Milliseconds of the machine's clock, the same in all processes. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

export async function ask(
  origin: string,
  what: 'count' | 'arrivals' | 'forget' | `pause/${string}`,
): Promise<Arrivals> {
  const response = await fetch(`${origin}/${what}`);
  return (await response.json()) as Arrivals;
}

/** Resolves when so many deliveries have arrived; throws when none does for half a minute. */
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

export function perSecond({ count, startedAt, endedAt }: Arrivals): number {
  return count / ((endedAt - startedAt) / 1_000);
}
