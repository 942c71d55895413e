import { EventEmitter } from 'node:events';
import { AppError } from '../../basics/errors/app-error.js';
import { BoundedQueue, type Caller } from './bounded-queue.js';

const refusal = () => new AppError('unavailable', 'busy', undefined, { retryAfterSeconds: 2 });
const REFUSED = { kind: 'unavailable', retryAfterSeconds: 2 };

const queueOf = (concurrency: number, limits: { maxWaiting?: number; maxWaitMs?: number } = {}) =>
  new BoundedQueue({ concurrency, refusal, ...limits });

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

describe('A bounded queue', () => {
  it('limits concurrency and runs waiting tasks in order, even after failures', async () => {
    const queue = queueOf(2);
    const order: number[] = [];
    const works = Array.from({ length: 5 }, () => new Work());
    const runs = works.map((work, index) =>
      queue.run(async () => {
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
    expect(queue.isIdle).toBe(true);
  });

  it('refuses a task that has waited too long and never starts it', async () => {
    const queue = queueOf(1, { maxWaitMs: 30 });
    const [first, late, next] = [new Work(), new Work(), new Work()];
    const running = queue.run(first.run);
    await expect(queue.run(late.run)).rejects.toMatchObject(REFUSED);
    const waiting = queue.run(next.run);
    first.end();
    next.end();
    await Promise.all([running, waiting]);
    expect([late.started, next.started]).toEqual([false, true]);
  });

  it('refuses the oldest task when too many wait', async () => {
    const queue = queueOf(1, { maxWaiting: 2 });
    const [first, oldest, second, newest] = [new Work(), new Work(), new Work(), new Work()];
    const running = queue.run(first.run);
    const refused = expect(queue.run(oldest.run)).rejects.toMatchObject(REFUSED);
    const others = [queue.run(second.run), queue.run(newest.run)];
    await refused;
    for (const work of [first, second, newest]) work.end();
    await Promise.all([running, ...others]);
    expect(oldest.started).toBe(false);
  });

  it('drops the task of a disconnected client at once, and removes its listeners from connected ones', async () => {
    const queue = queueOf(1);
    const first = new Work();
    const running = queue.run(first.run);
    const [leaving, staying] = [new Client(), new Client()];
    const [dropped, done] = [new Work(), new Work()];
    const refused = expect(
      queue.run(dropped.run, leaving as unknown as Caller),
    ).rejects.toMatchObject(REFUSED);
    const waiting = queue.run(done.run, staying as unknown as Caller);
    leaving.leave();
    await refused;
    await expect(queue.run(dropped.run, leaving as unknown as Caller)).rejects.toMatchObject(
      REFUSED,
    );
    first.end();
    done.end();
    await Promise.all([running, waiting]);
    expect([dropped.started, done.started]).toEqual([false, true]);
    expect(staying.listenerCount('close')).toBe(0);
  });
});
