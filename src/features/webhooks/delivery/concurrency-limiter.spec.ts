import type { ClaimedDelivery } from './delivery.repository.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { AcquiredDelivery } from './delivery.worker.js';

const SHARE = 20;

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

/** One exchange that takes so long. */
function answer(webhookId: string, milliseconds = 5): void {
  const one = limiter.acquire(delivery(webhookId));
  now += milliseconds;
  limiter.release(one);
}

/** Receivers that hang take what they are allowed, in turn, until no one of them gets more; how many got a place. */
function hang(webhookIds: readonly string[], bytes?: number): number {
  const hanging = new Set<string>();
  for (let taken = true; taken;) {
    taken = false;
    for (const id of webhookIds) {
      if (limiter.free.rows <= 0 || limiter.free.bytes <= 0) continue;
      if ((limiter.allowance(id, SHARE) ?? 0) === 0) continue;
      limiter.acquire(delivery(id, bytes));
      hanging.add(id);
      taken = true;
    }
  }
  return hanging.size;
}

describe('what a worker has in flight', () => {
  it('gives a webhook that answers its whole share while there is room', () => {
    answer('one');
    expect(limiter.allowance('one', SHARE)).toBe(SHARE);
    const begun = Array.from({ length: 5 }, () => limiter.acquire(delivery('one')));
    expect(limiter.allowance('one', SHARE)).toBe(SHARE - 5);
    limiter.release(begun[0] as AcquiredDelivery);
    expect(limiter.allowance('one', SHARE)).toBe(SHARE - 4);
    expect(limiter.inFlight).toBe(4);
  });

  it('gives a webhook of which nothing is known a few at first', () => {
    expect(limiter.allowance('new', SHARE)).toBe(5);
    answer('new');
    expect(limiter.allowance('new', SHARE)).toBe(SHARE);
    now += 120_000;
    expect(limiter.allowance('new', SHARE)).toBe(5);
  });

  it('gives a slow webhook its share while half of the places are free', () => {
    answer('slow', 4_000);
    expect(limiter.allowance('slow', SHARE)).toBe(15);
    hang(names('hanging', 1_000));
    expect(limiter.allowance('slow', SHARE)).toBeUndefined();
  });

  it.each([
    [30, 15],
    [150, 10],
    [375, 7],
    [5_000, 7],
  ])('leaves places for those that answer beside %i receivers that hang', (hanging, room) => {
    answer('quick');
    hang(names('hanging', hanging));
    expect(limiter.allowance('quick', SHARE)).toBeGreaterThanOrEqual(room);
    expect(limiter.free.rows).toBeGreaterThanOrEqual(250);
  });

  it('leaves a place for the first delivery of others beside 375 receivers that begin to hang at once', () => {
    expect(hang(names('hanging', 375))).toBe(375);
    expect(limiter.allowance('new', SHARE)).toBe(1);
  });

  it('gives receivers that answered and now hang nothing more after two seconds', () => {
    const hanging = names('hanging', 150);
    for (const id of hanging) answer(id);
    answer('quick');
    hang(hanging);
    expect(limiter.allowance('quick', SHARE)).toBeGreaterThanOrEqual(1);
    now += 2_001;
    for (const id of hanging) expect(limiter.allowance(id, SHARE)).toBe(0);
    expect(limiter.allowance('quick', SHARE)).toBeGreaterThanOrEqual(1);
  });

  it('leaves bytes for those that answer beside receivers that hang over large bodies', () => {
    answer('quick');
    hang(names('hanging', 400), 300_000);
    expect(limiter.free.bytes).toBeGreaterThan(7 * 1024 ** 2);
    expect(limiter.allowance('quick', SHARE)).toBeGreaterThan(5);
  });

  it('lets a webhook with nothing in flight begin one, however large', () => {
    hang(names('hanging', 300));
    expect(limiter.allowance('new', SHARE)).toBe(1);
    limiter.acquire(delivery('new', 4 * 1024 ** 2));
    expect(limiter.allowance('new', SHARE)).toBe(0);
  });

  it('has a webhook without a place wait for one, and one that has its places for its own', () => {
    const hanging = names('hanging', 1_000);
    hang(hanging);
    expect(limiter.allowance('new', SHARE)).toBeUndefined();
    expect(limiter.allowance('hanging 0', SHARE)).toBe(0);
  });
});
