import type { BenchOptions } from '../options.js';
import type { PostgresServer } from '../postgres.js';
import { floorFigure, type Figure } from '../results.js';
import { ask } from './arrivals.js';
import { openDeliveryBed } from './delivery-bed.js';
import { drain, medianOf, type Drain } from './drain.js';

/** More than one worker has capacity for, and as slow as receivers often are. */
const WEBHOOKS = 100;
const PAUSE_MS = 1_000;
const GOAL = 1.7;
const MEASURED = [0.25, 0.75] as const;

/**
 * Measures the benefit of a second worker when the limit is waiting rather than CPU time. Then the number of concurrent
 * deliveries per worker matters.
 */
export async function measureSlowReceivers(
  postgres: PostgresServer,
  folder: string,
  options: BenchOptions,
): Promise<Figure> {
  const bed = await openDeliveryBed(postgres, folder, WEBHOOKS, options);
  try {
    await ask(bed.receiver.origin, `pause/${String(PAUSE_MS)}`);
    const drains = { one: [] as Drain[], two: [] as Drain[] };
    const deliveries = options.rounds >= 3 ? 24_000 : 8_000;
    for (let round = 0; round < options.rounds; round += 1) {
      drains.one.push(await drain(bed, deliveries, 1, MEASURED));
      drains.two.push(await drain(bed, deliveries, 2, MEASURED));
    }
    const [one, two] = [medianOf(drains.one, 'rate'), medianOf(drains.two, 'rate')];
    const cores = `${medianOf(drains.one, 'cores').toFixed(1)} and ${medianOf(drains.two, 'cores').toFixed(1)} cores`;
    return floorFigure({
      name:
        `deliveries/s of two workers to ${String(WEBHOOKS)} webhooks that answer after about 1 s ` +
        `(${two.toFixed(0)} of ${one.toFixed(0)}); with all they need they use ${cores}`,
      participant: 'worker',
      value: two / one,
      unit: '×',
      goal: GOAL,
    });
  } finally {
    await bed.close();
  }
}
