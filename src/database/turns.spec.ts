import type { AppError } from '../errors/app-error.js';
import { Turns } from './turns.js';

/** Work that ends when it is told to. */
function pending() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, ended };
}

describe('turns', () => {
  it('let work on one key happen in the order it was asked for, after failures too', async () => {
    const turns = new Turns();
    const first = pending();
    const order: string[] = [];
    const one = turns.take('a', async () => {
      await first.ended;
      order.push('one');
      throw new Error('failed');
    });
    const two = turns.take('a', () => {
      order.push('two');
      return Promise.resolve('done');
    });
    first.end();
    await expect(one).rejects.toThrow('failed');
    expect(await two).toBe('done');
    expect(order).toEqual(['one', 'two']);
  });

  it('refuse who has waited longest when more than a thousand wait', async () => {
    const turns = new Turns();
    const first = pending();
    const all = Promise.allSettled(
      Array.from({ length: 1_002 }, () => turns.take('a', () => first.ended)),
    );
    first.end();
    const refused = (await all).flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ index, kind: (outcome.reason as AppError).kind }] : [],
    );
    expect(refused).toEqual([{ index: 1, kind: 'unavailable' }]);
    expect(await turns.take('a', () => Promise.resolve('through'))).toBe('through');
  });

  it('hold nobody back on another key', async () => {
    const turns = new Turns();
    const first = pending();
    const one = turns.take('a', () => first.ended);
    expect(await turns.take('b', () => Promise.resolve('through'))).toBe('through');
    first.end();
    await one;
  });
});
