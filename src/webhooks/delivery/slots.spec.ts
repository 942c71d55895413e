import type { ClaimedDelivery } from './claimed-deliveries.js';
import { Slots } from './slots.js';

const SHARE = 20;

function delivery(webhookId: string, bytes = 100): ClaimedDelivery {
  return { webhookId, body: 'x'.repeat(bytes) } as ClaimedDelivery;
}

/** Receivers that hang take what they are allowed, in turn, until no one of them gets more. */
function hang(slots: Slots, count: number, bytes?: number): void {
  const names = Array.from({ length: count }, (_, index) => `hanging ${String(index)}`);
  for (let taken = true; taken;) {
    taken = false;
    for (const name of names) {
      if (slots.free.rows <= 0 || slots.free.bytes <= 0 || slots.allowance(name, SHARE) === 0)
        continue;
      slots.take(delivery(name, bytes));
      taken = true;
    }
  }
}

describe('what a worker has under way', () => {
  it('gives one webhook its whole share while there is room', () => {
    const slots = new Slots();
    expect(slots.allowance('one', SHARE)).toBe(SHARE);
    for (let index = 0; index < 5; index += 1) slots.take(delivery('one'));
    expect(slots.allowance('one', SHARE)).toBe(SHARE - 5);
    slots.give(delivery('one'));
    expect(slots.allowance('one', SHARE)).toBe(SHARE - 4);
  });

  it.each([
    [30, 10],
    [90, 1],
    [150, 1],
  ])('leaves room for others beside %i receivers that hang', (hanging, room) => {
    const slots = new Slots();
    hang(slots, hanging);
    expect(slots.allowance('healthy', SHARE)).toBeGreaterThanOrEqual(room);
    expect(slots.free.rows).toBeGreaterThanOrEqual(room);
  });

  it('leaves bytes for others beside receivers that hang over large bodies', () => {
    const slots = new Slots();
    hang(slots, 40, 300_000);
    expect(slots.free.bytes).toBeGreaterThan(8 * 1024 ** 2);
    expect(slots.allowance('healthy', SHARE)).toBeGreaterThan(5);
  });

  it('always lets a webhook with nothing under way begin one, however large', () => {
    const slots = new Slots();
    hang(slots, 990);
    expect(slots.allowance('healthy', SHARE)).toBe(1);
    slots.take(delivery('healthy', 4 * 1024 ** 2));
    expect(slots.allowance('healthy', SHARE)).toBe(0);
  });
});
