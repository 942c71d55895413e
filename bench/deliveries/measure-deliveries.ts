import { callApi } from '../participant.js';
import { figureTable } from '../report.js';
import type { BenchContext, Figure, ScenarioResult } from '../results.js';
import { median, percentile } from '../statistics.js';
import { ask, now, untilArrived } from './arrivals.js';
import { openDeliveryBed, type DeliveryBed } from './delivery-bed.js';
import { drain, drainInTurn, type Drain } from './drain.js';

const WEBHOOKS = 10;
const EVENTS_PER_SECOND = 50;
/** More webhooks than one worker has capacity for, as slow as receivers often are, and the measured part of a backlog. */
const SLOW = { webhooks: 100, pauseMs: 1_000, measured: [0.25, 0.75] as const };

/** Goals for the worker. Times are in milliseconds. */
const GOALS = { ofLoop: 0.5, twoWorkers: 1.7, p99: 250, memory: 200 };

/**
 * Measures deliveries per second compared with a plain loop, those of two workers, the time from 201 to the receiver, a
 * drained backlog, and slow receivers.
 */
export async function measureDeliveries(context: BenchContext): Promise<ScenarioResult> {
  const figures = [...(await measureFastReceivers(context)), await measureSlowReceivers(context)];
  return { text: figureTable(figures), data: { figures } };
}

async function measureFastReceivers(context: BenchContext): Promise<Figure[]> {
  const { options, say } = context;
  const whole = options.rounds >= 3;
  const [deliveries, backlog] = whole ? [30_000, 100_000] : [5_000, 10_000];
  const bed = await openDeliveryBed(context, WEBHOOKS);
  try {
    say('deliveries: workers and a plain loop');
    const loopRates: number[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      loopRates.push(await rateOfLoop(bed, deliveries));
    }
    const loop = median(loopRates);
    const { one, two } = await drainInTurn(bed, deliveries, options.rounds);
    say(`deliveries: a backlog of ${backlog.toLocaleString('en')}`);
    const drained = await drain(bed, backlog, 1);
    say(`deliveries: ${String(EVENTS_PER_SECOND)} events a second`);
    const waits = await measureWaits(bed, options.seconds * options.rounds);
    return [
      {
        name: `Deliveries by one worker (${rate(one.rate)}), compared with the plain loop (${rate(loop)})`,
        value: one.rate / loop,
        unit: '×',
        goal: GOALS.ofLoop,
        atLeast: true,
      },
      {
        ...compareWorkers(one, two),
        name:
          `Deliveries by two workers (${rate(two.rate)}), compared with one, which uses ` +
          `${one.cores.toFixed(1)} cores with all that it needs`,
      },
      {
        name: `From 201 to the receiver, p99 (p50: ${percentile(waits, 0.5).toFixed(0)} ms)`,
        value: percentile(waits, 0.99),
        unit: 'ms',
        goal: GOALS.p99,
      },
      {
        name: `Memory of a worker with a backlog of ${backlog.toLocaleString('en')} (${rate(drained.rate)})`,
        value: drained.peak,
        unit: 'MB',
        goal: GOALS.memory,
      },
    ];
  } finally {
    await bed.close();
  }
}

/** When the limit is waiting rather than CPU time, the number of concurrent deliveries per worker matters. */
async function measureSlowReceivers(context: BenchContext): Promise<Figure> {
  const { options, say } = context;
  say('deliveries: slow receivers');
  const bed = await openDeliveryBed(context, SLOW.webhooks);
  try {
    await ask(bed.receiver.origin, `pause/${String(SLOW.pauseMs)}`);
    const deliveries = options.rounds >= 3 ? 24_000 : 8_000;
    const { one, two } = await drainInTurn(bed, deliveries, options.rounds, SLOW.measured);
    const name =
      `Deliveries by two workers (${rate(two.rate)}), compared with one (${rate(one.rate)}), to ` +
      `${String(SLOW.webhooks)} webhooks that respond after about 1 s`;
    return { ...compareWorkers(one, two), name };
  } finally {
    await bed.close();
  }
}

function compareWorkers(one: Drain, two: Drain): Omit<Figure, 'name'> {
  return { value: two.rate / one.rate, unit: '×', goal: GOALS.twoWorkers, atLeast: true };
}

function rate(perSecond: number): string {
  return `${perSecond.toFixed(0)}/s`;
}

async function rateOfLoop(bed: DeliveryBed, deliveries: number): Promise<number> {
  await ask(bed.receiver.origin, 'forget');
  await bed.runPlainLoop(deliveries);
  const { count, startedAt, endedAt } = await untilArrived(bed.receiver.origin, deliveries);
  return count / ((endedAt - startedAt) / 1_000);
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
