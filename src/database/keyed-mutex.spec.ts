import type { AppError } from '../errors/app-error.js';
import { KeyedMutex } from './keyed-mutex.js';

/** Work that ends when it is told to. */
function pending() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, ended };
}

describe('A keyed mutex', () => {
  it('lets work on one key happen in the order it was asked for, after failures too', async () => {
    const mutex = new KeyedMutex();
    const first = pending();
    const order: string[] = [];
    const one = mutex.run('a', async () => {
      await first.ended;
      order.push('one');
      throw new Error('failed');
    });
    const two = mutex.run('a', () => {
      order.push('two');
      return Promise.resolve('done');
    });
    first.end();
    await expect(one).rejects.toThrow('failed');
    expect(await two).toBe('done');
    expect(order).toEqual(['one', 'two']);
  });

  it('refuse who has waited longest when more than a thousand wait', async () => {
    const mutex = new KeyedMutex();
    const first = pending();
    const all = Promise.allSettled(
      Array.from({ length: 1_002 }, () => mutex.run('a', () => first.ended)),
    );
    first.end();
    const refused = (await all).flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ index, kind: (outcome.reason as AppError).kind }] : [],
    );
    expect(refused).toEqual([{ index: 1, kind: 'unavailable' }]);
    expect(await mutex.run('a', () => Promise.resolve('through'))).toBe('through');
  });

  it('hold nobody back on another key', async () => {
    const mutex = new KeyedMutex();
    const first = pending();
    const one = mutex.run('a', () => first.ended);
    expect(await mutex.run('b', () => Promise.resolve('through'))).toBe('through');
    first.end();
    await one;
  });
});
