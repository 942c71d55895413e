import type { ClaimedDelivery } from './delivery.repository.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { AcquiredDelivery } from './delivery.worker.js';

const MAX_IN_FLIGHT = 20;

let now: number;
let limiter: ConcurrencyLimiter;
beforeEach(() => {
  now = 0;
  limiter = new ConcurrencyLimiter(() => now);
});

function delivery(webhookId: string, bytes = 100): ClaimedDelivery {
  return { webhookId, body: 'x'.repeat(bytes) } as ClaimedDelivery;
}

function names(of: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${of} ${String(index)}`);
}

/** Delivers once, taking the given time. */
function answer(webhookId: string, milliseconds = 5): void {
  const one = limiter.acquire(delivery(webhookId));
  now += milliseconds;
  limiter.release(one);
}

/**
 * Starts deliveries to hanging receivers in turn until none may start another. Returns the number of receivers that got one.
 */
function hang(webhookIds: readonly string[], bytes?: number): number {
  const hanging = new Set<string>();
  for (let taken = true; taken;) {
    taken = false;
    for (const id of webhookIds) {
      if (limiter.free.rows <= 0 || limiter.free.bytes <= 0) continue;
      if ((limiter.allowance(id, MAX_IN_FLIGHT) ?? 0) === 0) continue;
      limiter.acquire(delivery(id, bytes));
      hanging.add(id);
      taken = true;
    }
  }
  return hanging.size;
}

describe('the concurrency limiter', () => {
  it('gives a responding webhook its whole share while there is capacity', () => {
    answer('one');
    expect(limiter.allowance('one', MAX_IN_FLIGHT)).toBe(MAX_IN_FLIGHT);
    const begun = Array.from({ length: 5 }, () => limiter.acquire(delivery('one')));
    expect(limiter.allowance('one', MAX_IN_FLIGHT)).toBe(MAX_IN_FLIGHT - 5);
    limiter.release(begun[0] as AcquiredDelivery);
    expect(limiter.allowance('one', MAX_IN_FLIGHT)).toBe(MAX_IN_FLIGHT - 4);
    expect(limiter.inFlight).toBe(4);
  });

  it('gives an unknown webhook a few deliveries at first', () => {
    expect(limiter.allowance('new', MAX_IN_FLIGHT)).toBe(5);
    answer('new');
    expect(limiter.allowance('new', MAX_IN_FLIGHT)).toBe(MAX_IN_FLIGHT);
    now += 120_000;
    expect(limiter.allowance('new', MAX_IN_FLIGHT)).toBe(5);
  });

  it('gives a slow webhook its share while half of the capacity is free', () => {
    answer('slow', 4_000);
    expect(limiter.allowance('slow', MAX_IN_FLIGHT)).toBe(15);
    hang(names('hanging', 1_000));
    expect(limiter.allowance('slow', MAX_IN_FLIGHT)).toBeUndefined();
  });

  it.each([
    [30, 15],
    [150, 10],
    [375, 7],
    [5_000, 7],
  ])('leaves capacity for responding receivers next to %i that hang', (hanging, capacity) => {
    answer('quick');
    hang(names('hanging', hanging));
    expect(limiter.allowance('quick', MAX_IN_FLIGHT)).toBeGreaterThanOrEqual(capacity);
    expect(limiter.free.rows).toBeGreaterThanOrEqual(250);
  });

  it('leaves capacity for first deliveries to others when 375 receivers start to hang at once', () => {
    expect(hang(names('hanging', 375))).toBe(375);
    expect(limiter.allowance('new', MAX_IN_FLIGHT)).toBe(1);
  });

  it('gives receivers that responded before and now hang no more deliveries after two seconds', () => {
    const hanging = names('hanging', 150);
    for (const id of hanging) answer(id);
    answer('quick');
    hang(hanging);
    expect(limiter.allowance('quick', MAX_IN_FLIGHT)).toBeGreaterThanOrEqual(1);
    now += 2_001;
    for (const id of hanging) expect(limiter.allowance(id, MAX_IN_FLIGHT)).toBe(0);
    expect(limiter.allowance('quick', MAX_IN_FLIGHT)).toBeGreaterThanOrEqual(1);
  });

  it('leaves bytes for responding receivers next to others that hang with large bodies', () => {
    answer('quick');
    hang(names('hanging', 400), 300_000);
    expect(limiter.free.bytes).toBeGreaterThan(7 * 1024 ** 2);
    expect(limiter.allowance('quick', MAX_IN_FLIGHT)).toBeGreaterThan(5);
  });

  it('lets a webhook with nothing in flight start a delivery, however large', () => {
    hang(names('hanging', 300));
    expect(limiter.allowance('new', MAX_IN_FLIGHT)).toBe(1);
    limiter.acquire(delivery('new', 4 * 1024 ** 2));
    expect(limiter.allowance('new', MAX_IN_FLIGHT)).toBe(0);
  });

  it('lets a webhook with nothing in flight wait for capacity, and others for their own deliveries', () => {
    const hanging = names('hanging', 1_000);
    hang(hanging);
    expect(limiter.allowance('new', MAX_IN_FLIGHT)).toBeUndefined();
    expect(limiter.allowance('hanging 0', MAX_IN_FLIGHT)).toBe(0);
  });
});
