import { figureTable, type BenchContext, type ScenarioResult } from '../report.js';
import { withPeakMemory } from '../resources.js';
import { callApi } from '../servers.js';
import { median, percentile } from '../statistics.js';
import { ask, now, untilArrived } from './arrivals.js';
import { openDeliveryBed, WEBHOOKS, type DeliveryBed } from './delivery-bed.js';

const EVENTS_PER_SECOND = 50;
/** The share of a backlog that is delivered before measuring starts, so the start of the worker does not count. */
const FIRST_SHARE = 0.2;

/** Goals for the worker. */
const GOALS = { ofLoop: 0.5, p99Ms: 250, memoryMb: 200 };

/** Measures deliveries per second compared with a plain loop, the time from 201 to the receiver, and a long backlog. */
export async function measureDeliveries(context: BenchContext): Promise<ScenarioResult> {
  const { options, say } = context;
  const [deliveries, backlog] = options.rounds >= 3 ? [30_000, 100_000] : [5_000, 10_000];
  const bed = await openDeliveryBed(context);
  try {
    say('deliveries: a worker and a plain loop');
    const rates = { loop: [] as number[], worker: [] as number[] };
    for (let round = 0; round < options.rounds; round += 1) {
      rates.loop.push(await rateOfLoop(bed, deliveries));
      rates.worker.push((await drain(bed, deliveries)).rate);
    }
    const [loop, worker] = [median(rates.loop), median(rates.worker)];
    say(`deliveries: a backlog of ${backlog.toLocaleString('en')}`);
    const drained = await drain(bed, backlog);
    say(`deliveries: ${String(EVENTS_PER_SECOND)} events a second`);
    const waits = await measureWaits(bed, options.seconds * options.rounds);
    const figures = [
      {
        name: `Deliveries by one worker (${perSecond(worker)}), compared with the plain loop (${perSecond(loop)})`,
        value: worker / loop,
        unit: '×',
        goal: GOALS.ofLoop,
        atLeast: true,
      },
      {
        name: `From 201 to the receiver, p99 (p50: ${percentile(waits, 0.5).toFixed(0)} ms)`,
        value: percentile(waits, 0.99),
        unit: 'ms',
        goal: GOALS.p99Ms,
      },
      {
        name: `Memory of a worker with a backlog of ${backlog.toLocaleString('en')} (${perSecond(drained.rate)})`,
        value: drained.peak,
        unit: 'MB',
        goal: GOALS.memoryMb,
      },
    ];
    return { text: figureTable(figures), data: { figures } };
  } finally {
    await bed.close();
  }
}

function perSecond(rate: number): string {
  return `${rate.toFixed(0)}/s`;
}

/** Starts a worker on a complete backlog. Returns deliveries per second and the peak of its memory in MB. */
async function drain(
  bed: DeliveryBed,
  deliveries: number,
): Promise<{ rate: number; peak: number }> {
  const { origin } = bed.receiver;
  await bed.empty();
  await bed.owe(deliveries / WEBHOOKS);
  await ask(origin, 'forget');
  const worker = await bed.startWorker();
  const { result, peak } = await withPeakMemory(worker.pid, async () => {
    const early = await untilArrived(origin, deliveries * FIRST_SHARE);
    return { early, end: await untilArrived(origin, deliveries) };
  });
  await worker.stop();
  const { early, end } = result;
  return { rate: ((end.count - early.count) * 1_000) / (end.endedAt - early.endedAt), peak };
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
  const respondedAt = new Map<string, number>();
  const startedAt = performance.now();
  const total = seconds * EVENTS_PER_SECOND;
  const pending: Promise<void>[] = [];
  for (let sent = 0; sent < total; sent += 1) {
    const dueAt = startedAt + (sent / EVENTS_PER_SECOND) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    pending.push(
      callApi(bed.api, '/v1/documents', { title: 'Paced', content: 'x'.repeat(1_500) }).then(
        ({ envelope }) => {
          respondedAt.set((envelope.data as { id: string }).id, now());
        },
      ),
    );
  }
  await Promise.all(pending);
  await untilArrived(bed.receiver.origin, total * WEBHOOKS);
  const { first } = await ask(bed.receiver.origin, 'arrivals');
  await worker.stop();
  return first
    .map(([id, arrivedAt]) => Math.max(0, arrivedAt - (respondedAt.get(id) ?? NaN)))
    .sort((a, b) => a - b);
}
