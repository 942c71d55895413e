import { EventEmitter } from 'node:events';
import { AppError } from '../errors/app-error.js';
import { FairLimiter, type Caller, type FairLimits } from './fair-limiter.js';

const refusal = () => new AppError('unavailable', 'busy', undefined, { retryAfterSeconds: 2 });
const REFUSED = { kind: 'unavailable', retryAfterSeconds: 2 };

const limiterOf = (concurrency: number, limits: Partial<FairLimits> = {}) =>
  new FairLimiter({ concurrency, maxWaiting: 100, waitLimitMs: 20_000, ...limits }, refusal);

/** A task that ends when the test decides. `started` is false if it was refused while queued. */
class Work {
  started = false;
  end: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => (this.end = resolve));

  readonly run = async () => {
    this.started = true;
    await this.ended;
  };
}

class Client extends EventEmitter {
  closed = false;

  leave(): void {
    this.closed = true;
    this.emit('close');
  }
}

describe('A fair limiter', () => {
  it('limits concurrency and runs waiting tasks in order, even after failures', async () => {
    const limiter = limiterOf(2);
    const order: number[] = [];
    const works = Array.from({ length: 5 }, () => new Work());
    const runs = works.map((work, index) =>
      limiter.run({}, async () => {
        order.push(index);
        await work.run();
        if (index === 0) throw new Error('failed');
      }),
    );
    runs[0]?.catch(() => undefined);
    expect(order).toEqual([0, 1]);
    for (const work of works) work.end();
    await expect(Promise.all(runs.slice(1))).resolves.toHaveLength(4);
    await expect(runs[0]).rejects.toThrow('failed');
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect([limiter.runningCount, limiter.waitingCount]).toEqual([0, 0]);
  });

  it('refuses a task that has waited too long and never starts it', async () => {
    const limiter = limiterOf(1, { waitLimitMs: 30 });
    const [first, late, next] = [new Work(), new Work(), new Work()];
    const running = limiter.run({}, first.run);
    await expect(limiter.run({}, late.run)).rejects.toMatchObject(REFUSED);
    const waiting = limiter.run({}, next.run);
    first.end();
    next.end();
    await Promise.all([running, waiting]);
    expect([late.started, next.started]).toEqual([false, true]);
  });

  it('refuses the newest task of the owner with the most waiting ones when too many wait', async () => {
    const limiter = limiterOf(1, { maxWaiting: 3 });
    const works = Array.from({ length: 5 }, () => new Work());
    const owners = ['a', 'a', 'a', 'b', 'b'];
    const runs = works.map((work, index) => limiter.run({ owner: owners[index] }, work.run));
    await expect(runs[4]).rejects.toMatchObject(REFUSED);
    const another = new Work();
    const run = limiter.run({ owner: 'c' }, another.run);
    await expect(runs[2]).rejects.toMatchObject(REFUSED);
    for (const work of [...works, another]) work.end();
    await Promise.all([runs[0], runs[1], runs[3], run]);
    expect(works.map(({ started }) => started)).toEqual([true, true, false, true, false]);
  });

  it('runs a limited number of tasks of one owner, and those of others beside them', async () => {
    const limiter = limiterOf(3, { maxRunningOfOwner: 2 });
    const works = Array.from({ length: 5 }, () => new Work());
    const owners = ['a', 'a', 'a', 'b', 'b'];
    const runs = works.map((work, index) => limiter.run({ owner: owners[index] }, work.run));
    const started = () => works.map((work) => work.started);
    expect(started()).toEqual([true, true, false, true, false]);
    works[0]?.end();
    await runs[0];
    // Both have one running task, and the third of the first owner has waited longer.
    expect(started()).toEqual([true, true, true, true, false]);
    works[3]?.end();
    await runs[3];
    expect(started()).toEqual([true, true, true, true, true]);
    for (const work of works) work.end();
    await Promise.all(runs);
  });

  it('runs tasks of a lower rank first, but every fourth turn goes to the one with the lowest number', async () => {
    const limiter = limiterOf(1);
    const first = new Work();
    const running = limiter.run({}, first.run);
    const order: string[] = [];
    const waiting = [
      ['short', 5, 6],
      ['short', 3, 2],
      ['short', 3, 3],
      ['short', 4, 4],
      ['long', 9, 1],
      ['shortest', 1, 5],
    ] as const;
    const runs = waiting.map(([owner, rank, number]) =>
      limiter.run({ owner, turn: { rank, number } }, () =>
        Promise.resolve(order.push(`${owner} ${String(rank)}`)),
      ),
    );
    first.end();
    await Promise.all([running, ...runs]);
    expect(order).toEqual(['shortest 1', 'short 3', 'short 3', 'long 9', 'short 4', 'short 5']);
  });

  it('drops the task of a disconnected client at once, and removes its listeners from connected ones', async () => {
    const limiter = limiterOf(1);
    const first = new Work();
    const running = limiter.run({}, first.run);
    const [leaving, staying] = [new Client(), new Client()];
    const [dropped, done] = [new Work(), new Work()];
    const refused = expect(
      limiter.run({ caller: leaving as unknown as Caller }, dropped.run),
    ).rejects.toMatchObject(REFUSED);
    const waiting = limiter.run({ caller: staying as unknown as Caller }, done.run);
    leaving.leave();
    await refused;
    await expect(
      limiter.run({ caller: leaving as unknown as Caller }, dropped.run),
    ).rejects.toMatchObject(REFUSED);
    first.end();
    done.end();
    await Promise.all([running, waiting]);
    expect([dropped.started, done.started]).toEqual([false, true]);
    expect(staying.listenerCount('close')).toBe(0);
  });
});
