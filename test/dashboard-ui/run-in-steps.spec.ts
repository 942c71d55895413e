import { Failure } from '../../packages/dashboard/src/api/failure.js';
import { runInSteps } from '../../packages/dashboard/src/pages/documents/bulk/run-in-steps.js';

const items = [1, 2, 3, 4, 5];
const done = (some: readonly number[]) => Promise.resolve(some.map(() => undefined));
const noWait = () => Promise.resolve();

describe('an action on many items', () => {
  it('an action on many items runs step by step, and reports for each item whether it succeeded', async () => {
    const progress: number[] = [];
    const results = await runInSteps({
      items,
      size: 2,
      step: (some) => Promise.resolve(some.map((item) => (item === 3 ? 'No.' : undefined))),
      onProgress: (so) => progress.push(so.length),
      signal: new AbortController().signal,
    });
    expect(progress).toEqual([2, 4, 5]);
    expect(results.filter(({ problem }) => problem !== undefined)).toEqual([
      { item: 3, problem: 'No.' },
    ]);
  });

  it('an action on many items starts no further step after it is canceled', async () => {
    const cancel = new AbortController();
    const results = await runInSteps({
      items,
      size: 2,
      step: done,
      onProgress: () => {
        cancel.abort();
      },
      signal: cancel.signal,
    });
    expect(results).toHaveLength(2);
  });

  it('an action on many items waits as long as the service requests, and retries the step', async () => {
    const waits: number[] = [];
    let asked = 0;
    const results = await runInSteps({
      items,
      size: 5,
      step: (some) => {
        asked += 1;
        return asked === 1
          ? Promise.reject(new Failure('Too many.', 429, { retryAfter: 7 }))
          : done(some);
      },
      onProgress: () => undefined,
      signal: new AbortController().signal,
      wait: (ms) => {
        waits.push(ms);
        return noWait();
      },
    });
    expect(waits).toEqual([7_000]);
    expect(results.every(({ problem }) => problem === undefined)).toBe(true);
  });

  it('an action on many items continues after a refused step, with the reason at each of its items', async () => {
    const results = await runInSteps({
      items,
      size: 3,
      step: (some) => (some.includes(1) ? Promise.reject(new Failure('No.', 403)) : done(some)),
      onProgress: () => undefined,
      signal: new AbortController().signal,
      wait: noWait,
    });
    expect(results.map(({ problem }) => problem)).toEqual([
      'No.',
      'No.',
      'No.',
      undefined,
      undefined,
    ]);
  });
});
