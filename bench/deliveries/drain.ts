import { withPeakMemory } from '../memory.js';
import { processorSeconds, sum } from '../processor-time.js';
import { median } from '../statistics.js';
import { ask, untilArrived } from './arrivals.js';
import type { DeliveryBed } from './delivery-bed.js';

/** The result of draining a backlog. */
export interface Drain {
  /** Deliveries per second in the measured part. */
  rate: number;
  /** Deliveries per second of the workers' CPU time. Lower with two workers if they interfere with each other. */
  ofWorkers: number;
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
  const used = (): number => sum(pids.map(processorSeconds));
  const { result, peak } = await withPeakMemory(pids[0] ?? 0, async () => {
    const early = await untilArrived(receiver.origin, deliveries * from);
    const [meter, receiverBefore] = [await bed.meter(), processorSeconds(receiver.pid)];
    const before = used();
    const end = await untilArrived(receiver.origin, deliveries * to);
    const ofWorkers = used() - before;
    const others = (await meter()) + processorSeconds(receiver.pid) - receiverBefore;
    return { early, end, ofWorkers, others };
  });
  await Promise.all(started.map((worker) => worker.stop()));
  const { early, end, ofWorkers, others } = result;
  const count = end.count - early.count;
  const seconds = (end.endedAt - early.endedAt) / 1_000;
  return {
    rate: count / seconds,
    ofWorkers: count / ofWorkers,
    cores: (ofWorkers + others) / seconds,
    peak,
  };
}

export function medianOf(drains: readonly Drain[], what: keyof Drain): number {
  return median(drains.map((one) => one[what]));
}
