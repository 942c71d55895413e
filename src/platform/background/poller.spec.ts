import { Poller } from './poller.js';

const NEVER_MS = 60 * 60 * 1000;

/** A poller whose runs end when the test decides. */
function controlled() {
  const begun: { end: (more: boolean) => void; fail: (error: Error) => void }[] = [];
  const failures: unknown[] = [];
  const poller = new Poller({
    everyMs: NEVER_MS,
    work: () =>
      new Promise((resolve, reject) => {
        begun.push({ end: resolve, fail: reject });
      }),
    onFailure: (error) => failures.push(error),
  });
  return { poller, begun, failures };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('A poller', () => {
  it('runs at once, repeats while there is more to do, and runs again when it is woken', async () => {
    const { poller, begun } = controlled();
    poller.start();
    begun[0]?.end(true);
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]?.end(false);
    await turn();
    expect(begun).toHaveLength(2);
    poller.wake();
    await turn();
    expect(begun).toHaveLength(3);
    begun[2]?.end(false);
    await poller.stop();
  });

  it('never runs twice at the same time, and misses no wake-up while it runs', async () => {
    const { poller, begun } = controlled();
    poller.start();
    poller.wake();
    await turn();
    expect(begun).toHaveLength(1);
    begun[0]?.end(false);
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]?.end(false);
    await poller.stop();
  });

  it('reports the first of several consecutive failures', async () => {
    const { poller, begun, failures } = controlled();
    poller.start();
    for (const [n, message] of ['one', 'two'].entries()) {
      begun[n]?.fail(new Error(message));
      await turn();
      poller.wake();
      await turn();
    }
    expect(failures).toEqual([new Error('one')]);
    begun[2]?.end(false);
    await poller.stop();
  });

  it('stops when the run in flight has finished', async () => {
    const { poller, begun } = controlled();
    poller.start();
    let isStopped = false;
    const stopped = poller.stop().then(() => (isStopped = true));
    await turn();
    expect(isStopped).toBe(false);
    begun[0]?.end(true);
    await stopped;
    expect(begun).toHaveLength(1);
  });
});
