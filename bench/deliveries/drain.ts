import { withPeakMemory } from '../memory.js';
import { processorSeconds, sum } from '../processor-time.js';
import { median } from '../statistics.js';
import { ask, untilArrived } from './arrivals.js';
import type { DeliveryBed } from './delivery-bed.js';

/** The result of draining a backlog. */
export interface Drain {
  /** Deliveries per second in the measured part. */
  rate: number;
  /** CPU cores used by workers, database and receiver together. */
  cores: number;
  /** Memory of the first worker, in MB. */
  peak: number;
}

/**
 * Starts workers on a complete backlog, lets them send all of it, and measures a part, given as shares of the backlog.
 * Excludes the start of the processes and, with slow receivers, the wait for the last deliveries.
 */
export async function drain(
  bed: DeliveryBed,
  deliveries: number,
  workers: number,
  [from, to]: readonly [number, number] = [0.2, 1],
): Promise<Drain> {
  const { receiver, webhooks } = bed;
  await bed.empty();
  await bed.owe(deliveries / webhooks);
  await ask(receiver.origin, 'forget');
  const started = await Promise.all(Array.from({ length: workers }, () => bed.startWorker()));
  const pids = started.map(({ pid }) => pid);
  const processes = [...pids, receiver.pid];
  const { result, peak } = await withPeakMemory(pids[0] ?? 0, async () => {
    const early = await untilArrived(receiver.origin, deliveries * from);
    const [meter, before] = [await bed.meter(), sum(processes.map(processorSeconds))];
    const end = await untilArrived(receiver.origin, deliveries * to);
    const used = (await meter()) + sum(processes.map(processorSeconds)) - before;
    return { early, end, used };
  });
  await Promise.all(started.map((worker) => worker.stop()));
  const { early, end, used } = result;
  const seconds = (end.endedAt - early.endedAt) / 1_000;
  return { rate: (end.count - early.count) / seconds, cores: used / seconds, peak };
}

/** Drains as often with one worker as with two. Returns medians. */
export async function drainInTurn(
  bed: DeliveryBed,
  deliveries: number,
  rounds: number,
  part?: readonly [number, number],
): Promise<{ one: Drain; two: Drain }> {
  const drains: [Drain[], Drain[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    drains[0].push(await drain(bed, deliveries, 1, part));
    drains[1].push(await drain(bed, deliveries, 2, part));
  }
  const [one, two] = drains.map((some) => {
    const middle = (what: keyof Drain): number => median(some.map((each) => each[what]));
    return { rate: middle('rate'), cores: middle('cores'), peak: middle('peak') };
  });
  return { one: one as Drain, two: two as Drain };
}
