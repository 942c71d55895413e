import type { BenchOptions } from '../options.js';
import { callApi } from '../participant.js';
import type { PostgresServer } from '../postgres.js';
import { floorFigure, limitFigure, type Figure } from '../results.js';
import { median, percentile } from '../statistics.js';
import { ask, now, perSecond, untilArrived } from './arrivals.js';
import { openDeliveryBed, type DeliveryBed } from './delivery-bed.js';
import { drain, medianOf, type Drain } from './drain.js';

const WEBHOOKS = 10;
const EVENTS_PER_SECOND = 50;

/** Goals for the worker. Times are in milliseconds. */
const GOALS = { ofLoop: 0.5, twoWorkers: 1.7, p99: 250, memory: 200 };

/**
 * Measures deliveries per second compared with a plain loop, those of two workers, the time from 201 to the receiver, and
 * a drained backlog.
 */
export async function measureDeliveries(
  postgres: PostgresServer,
  folder: string,
  options: BenchOptions,
  say: (words: string) => void,
): Promise<Figure[]> {
  const whole = options.rounds >= 3;
  const bed = await openDeliveryBed(postgres, folder, WEBHOOKS, options);
  try {
    say('deliveries: workers and a plain loop');
    const loopRates: number[] = [];
    const drains = { one: [] as Drain[], two: [] as Drain[] };
    const deliveries = whole ? 30_000 : 5_000;
    for (let round = 0; round < options.rounds; round += 1) {
      loopRates.push(await rateOfLoop(bed, deliveries));
      drains.one.push(await drain(bed, deliveries, 1));
      drains.two.push(await drain(bed, deliveries, 2));
    }
    const backlog = whole ? 100_000 : 10_000;
    say(`deliveries: a backlog of ${backlog.toLocaleString('en')}`);
    const drained = await drain(bed, backlog, 1);
    say(`deliveries: ${String(EVENTS_PER_SECOND)} events a second`);
    const waits = await measureWaits(bed, options.seconds * options.rounds);
    const loop = median(loopRates);
    const [one, two] = [medianOf(drains.one, 'rate'), medianOf(drains.two, 'rate')];
    const perSecondOfWorker = `${medianOf(drains.one, 'ofWorkers').toFixed(0)} and ${medianOf(drains.two, 'ofWorkers').toFixed(0)} a processor second of the workers`;
    const cores = `one and all it needs use ${medianOf(drains.one, 'cores').toFixed(1)} cores`;
    const figure = (name: string, value: number, unit: string, goal: number) => ({
      name,
      participant: 'worker',
      value,
      unit,
      goal,
    });
    const of = (rate: number, other: number) => `(${rate.toFixed(0)} of ${other.toFixed(0)})`;
    return [
      floorFigure(
        figure(`deliveries/s of a plain loop's ${of(one, loop)}`, one / loop, '×', GOALS.ofLoop),
      ),
      floorFigure(
        figure(
          `deliveries/s of two workers ${of(two, one)}; ${cores}; ${perSecondOfWorker}`,
          two / one,
          '×',
          GOALS.twoWorkers,
        ),
      ),
      limitFigure(
        figure(
          `from 201 to the receiver, p99 (p50 ${percentile(waits, 0.5).toFixed(0)})`,
          percentile(waits, 0.99),
          'ms',
          GOALS.p99,
        ),
      ),
      limitFigure(
        figure(
          `memory while draining ${backlog.toLocaleString('en')} at ${drained.rate.toFixed(0)}/s`,
          drained.peak,
          'MB',
          GOALS.memory,
        ),
      ),
    ];
  } finally {
    await bed.close();
  }
}

async function rateOfLoop(bed: DeliveryBed, deliveries: number): Promise<number> {
  await ask(bed.receiver.origin, 'forget');
  await bed.runPlainLoop(deliveries);
  return perSecond(await untilArrived(bed.receiver.origin, deliveries));
}

/** Returns the milliseconds from the response to a create until the first webhook gets its event, sorted. */
async function measureWaits(bed: DeliveryBed, seconds: number): Promise<number[]> {
  await bed.empty();
  await ask(bed.receiver.origin, 'forget');
  const worker = await bed.startWorker();
  const answered = new Map<string, number>();
  const startedAt = performance.now();
  const total = seconds * EVENTS_PER_SECOND;
  const pending: Promise<void>[] = [];
  for (let sent = 0; sent < total; sent += 1) {
    const dueAt = startedAt + (sent / EVENTS_PER_SECOND) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    pending.push(
      callApi(bed.api, '/v1/documents', { title: 'Paced', content: 'x'.repeat(1_500) }).then(
        ({ envelope }) => {
          answered.set((envelope.data as { id: string }).id, now());
        },
      ),
    );
  }
  await Promise.all(pending);
  await untilArrived(bed.receiver.origin, total * WEBHOOKS);
  const { first } = await ask(bed.receiver.origin, 'arrivals');
  await worker.stop();
  return first
    .map(([id, arrivedAt]) => Math.max(0, arrivedAt - (answered.get(id) ?? NaN)))
    .sort((a, b) => a - b);
}
