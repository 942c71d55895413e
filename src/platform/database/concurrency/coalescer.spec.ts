import { Coalescer, type Outcome } from './coalescer.js';

const doubled = (batch: number[]): Outcome<number>[] =>
  batch.map((value) => ({ result: value * 2 }));

afterEach(() => jest.useRealTimers());

describe('coalescing', () => {
  it('sends requests of one turn of the event loop as one batch and gives each caller its own result', async () => {
    const batches: number[][] = [];
    const coalescer = new Coalescer<number, number>(
      (batch) => {
        batches.push(batch);
        return Promise.resolve(doubled(batch));
      },
      { maxBatch: 10, maxInFlight: 2 },
    );
    const results = await Promise.all([1, 2, 3].map((value) => coalescer.submit(value)));
    expect(results).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('limits the size of a batch and the number of batches in flight', async () => {
    const sizes: number[] = [];
    let underWay = 0;
    let most = 0;
    const coalescer = new Coalescer<number, number>(
      async (batch) => {
        sizes.push(batch.length);
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return doubled(batch);
      },
      { maxBatch: 4, maxInFlight: 2 },
    );
    const values = Array.from({ length: 30 }, (_, value) => value);
    const results = await Promise.all(values.map((value) => coalescer.submit(value)));
    expect(results).toEqual(values.map((value) => value * 2));
    expect(Math.max(...sizes)).toBe(4);
    expect(most).toBe(2);
  });

  it('waits for more callers up to a time or a number', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const batches: number[][] = [];
    const coalescer = new Coalescer<number, number>(
      (batch) => {
        batches.push(batch);
        return Promise.resolve(doubled(batch));
      },
      { maxBatch: 10, maxInFlight: 1, gather: { forMs: 200, isEnough: (count) => count >= 3 } },
    );
    const startedAt = performance.now();
    const lonely = coalescer.submit(1);
    // Later than the next turn of the event loop.
    await jest.advanceTimersByTimeAsync(20);
    const joining = coalescer.submit(2);
    await jest.advanceTimersByTimeAsync(180);
    await Promise.all([lonely, joining]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(190);
    const enoughAt = performance.now();
    await Promise.all([3, 4, 5].map((value) => coalescer.submit(value)));
    expect(performance.now() - enoughAt).toBeLessThan(190);
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('reports a failure only to the caller whose request caused it', async () => {
    const coalescer = new Coalescer<number, number>(
      (batch) =>
        batch.includes(13)
          ? Promise.reject(new Error('13 is refused'))
          : Promise.resolve(doubled(batch)),
      { maxBatch: 10, maxInFlight: 1, isolateFailures: true },
    );
    const outcomes = await Promise.allSettled([1, 13, 2].map((value) => coalescer.submit(value)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(coalescer.submit(4)).resolves.toBe(8);
  });

  it('fails every caller at once when the database is unavailable, without retrying each alone', async () => {
    let calls = 0;
    const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const coalescer = new Coalescer<number, number>(
      () => {
        calls += 1;
        return Promise.reject(unreachable);
      },
      { maxBatch: 10, maxInFlight: 1, isolateFailures: true },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map((value) => coalescer.submit(value)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(calls).toBe(1);
  });

  it('refuses callers beyond its limit while the database hangs', async () => {
    let release: () => void = () => undefined;
    const standstill = new Promise<void>((resolve) => (release = resolve));
    const coalescer = new Coalescer<number, number>(
      async (batch) => {
        await standstill;
        return doubled(batch);
      },
      { maxBatch: 10_000, maxInFlight: 1 },
    );
    const first = coalescer.submit(0);
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = Array.from({ length: 5_000 }, (_, value) => coalescer.submit(value));
    await expect(coalescer.submit(1)).rejects.toMatchObject({ kind: 'unavailable' });
    release();
    await expect(first).resolves.toBe(0);
    await expect(Promise.all(waiting)).resolves.toHaveLength(5_000);
  });

  it('limits the bytes of a batch and of the queue', async () => {
    const sizes: number[] = [];
    let release: () => void = () => undefined;
    const standstill = new Promise<void>((resolve) => (release = resolve));
    const mebibyte = 1024 ** 2;
    const coalescer = new Coalescer<number, number>(
      async (batch) => {
        sizes.push(batch.length);
        await standstill;
        return doubled(batch);
      },
      { maxBatch: 100, maxInFlight: 1, weigh: () => mebibyte / 2 },
    );
    const callers = Array.from({ length: 5 }, (_, value) => coalescer.submit(value));
    await new Promise((resolve) => setImmediate(resolve));
    const queued = Array.from({ length: 125 }, (_, value) => coalescer.submit(value));
    await expect(coalescer.submit(1)).rejects.toMatchObject({ kind: 'unavailable' });
    release();
    await Promise.all([...callers, ...queued]);
    expect(Math.max(...sizes)).toBe(2);
  });
});
