import { withPeakMemory } from '../memory.js';
import { processorSeconds, siblingsSeconds } from '../processor-time.js';
import { median } from '../statistics.js';
import { ask, untilArrived } from './arrivals.js';
import type { DeliveryBed } from './delivery-bed.js';

/** What a drained backlog took. */
export interface Drain {
  /** Deliveries a second in the part that is measured. */
  rate: number;
  /** Deliveries a second of processor time of the workers: less with two where they get into each other's way. */
  ofWorkers: number;
  /** Processors in use by workers, database and receiver together. */
  cores: number;
  /** Memory of the first worker, in MB. */
  peak: number;
}

/**
 * Has workers, started after it was all owed, send everything, and measures a part of it, by shares of what is owed: not
 * while the processes start, nor, where receivers are slow, while the last ones are waited for.
 */
export async function drain(
  bed: DeliveryBed,
  deliveries: number,
  workers: number,
  [from, to]: readonly [number, number] = [0.2, 1],
): Promise<Drain> {
  const { receiver, databasePid, webhooks } = bed;
  await bed.empty();
  await bed.owe(deliveries / webhooks);
  await ask(receiver.origin, 'forget');
  const started = await Promise.all(Array.from({ length: workers }, () => bed.startWorker()));
  const pids = started.map(({ pid }) => pid);
  const used = () => ({
    workers: pids.reduce((sum, pid) => sum + processorSeconds(pid), 0),
    others: siblingsSeconds(databasePid) + processorSeconds(receiver.pid),
  });
  const { result, peak } = await withPeakMemory(pids[0] ?? 0, async () => {
    const early = await untilArrived(receiver.origin, deliveries * from);
    const before = used();
    const end = await untilArrived(receiver.origin, deliveries * to);
    return { early, end, before, after: used() };
  });
  await Promise.all(started.map((worker) => worker.stop()));
  const { early, end, before, after } = result;
  const ofWorkers = after.workers - before.workers;
  const count = end.count - early.count;
  const seconds = (end.endedAt - early.endedAt) / 1_000;
  return {
    rate: count / seconds,
    ofWorkers: count / ofWorkers,
    cores: (ofWorkers + after.others - before.others) / seconds,
    peak,
  };
}

export function medianOf(drains: readonly Drain[], what: keyof Drain): number {
  return median(drains.map((one) => one[what]));
}
