import type { Config } from '../../../platform/config/config.js';
import type { Log } from '../../../platform/operation/log.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { DeliveryPoller, type AcquiredDelivery } from './delivery.worker.js';
import type { WebhooksRepository } from '../webhooks.repository.js';
import type { ClaimedDelivery, DeliveryRepository } from './delivery.repository.js';

/** The time of each claim, in milliseconds since the start of the test, and its number of webhooks. */
let claims: { at: number; webhooks: number }[];
/** Called with each claimed delivery. */
let onClaimed: (delivery: AcquiredDelivery) => void;
let poller: DeliveryPoller;
let working: Promise<void>;
let isOver: boolean;

/** Every claim finds one due delivery of each webhook. */
const deliveries = (begun: number) => ({
  leaseMs: 60_000,
  maxInFlightPerWebhook: () => 20,
  due: () => Promise.resolve([]),
  workers: () => Promise.resolve(1),
  claim({ allowances }: { allowances: ReadonlyMap<string, number> }) {
    claims.push({ at: performance.now() - begun, webhooks: allowances.size });
    const claimed = Array.from(allowances.keys(), (webhookId) => ({ webhookId, body: '' }));
    return Promise.resolve(claimed as ClaimedDelivery[]);
  },
});

beforeEach(() => {
  jest.useFakeTimers();
  claims = [];
  onClaimed = () => undefined;
  poller = new DeliveryPoller(
    deliveries(performance.now()) as unknown as DeliveryRepository,
    {} as WebhooksRepository,
    new ConcurrencyLimiter(() => performance.now()),
    {} as Log,
    { directUrl: 'postgres://localhost/none' } as Config,
  );
  isOver = false;
  working = work();
});
afterEach(async () => {
  isOver = true;
  poller.retryIn('any', 0);
  await working;
  jest.useRealTimers();
});

/** Claims like a worker. */
async function work(): Promise<void> {
  while (!isOver) {
    await poller.poll();
    const claim = await poller.claim();
    if (claim) claim.deliveries.forEach(onClaimed);
    else await poller.wait();
  }
}

function due(webhooks: number): void {
  for (let n = 0; n < webhooks; n += 1) poller.retryIn(`webhook ${String(n)}`, 0);
}

it('claims every tenth of a second from webhooks whose deliveries end one after another', async () => {
  onClaimed = (delivery) => {
    const milliseconds = 5 * Number(delivery.webhookId.split(' ')[1]);
    setTimeout(() => {
      poller.ended(delivery);
    }, milliseconds);
  };
  due(10);
  await jest.advanceTimersByTimeAsync(450);
  expect(claims).toEqual([0, 100, 200, 300, 400].map((at) => ({ at, webhooks: 10 })));
});

it('claims at once if the last claim was over a tenth of a second ago', async () => {
  onClaimed = (delivery) => {
    setTimeout(() => {
      poller.ended(delivery);
    }, 250);
  };
  due(1);
  await jest.advanceTimersByTimeAsync(600);
  expect(claims.map(({ at }) => at)).toEqual([0, 250, 500]);
});

it('claims at once when half of many deliveries in flight have ended', async () => {
  const inFlight: AcquiredDelivery[] = [];
  onClaimed = (delivery) => {
    inFlight.push(delivery);
  };
  due(40);
  await jest.advanceTimersByTimeAsync(10);
  expect(claims).toEqual([16, 16, 8].map((webhooks) => ({ at: 0, webhooks })));
  for (const delivery of inFlight.splice(0, 20)) poller.ended(delivery);
  await jest.advanceTimersByTimeAsync(10);
  expect(claims).toHaveLength(3);
  for (const delivery of inFlight.splice(0, 1)) poller.ended(delivery);
  await jest.advanceTimersByTimeAsync(10);
  expect(claims.slice(3)).toEqual([16, 5].map((webhooks) => ({ at: 20, webhooks })));
});
