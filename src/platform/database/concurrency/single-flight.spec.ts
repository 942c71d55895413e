import { SingleFlight } from './single-flight.js';

/** A source whose reads end when the test decides. */
function source() {
  const started: ((value: string) => void)[] = [];
  const failed: ((error: Error) => void)[] = [];
  const read = () =>
    new Promise<string>((resolve, reject) => {
      started.push(resolve);
      failed.push(reject);
    });
  return { started, failed, read };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('shared reads', () => {
  it('let callers during a read share the next read, never one that started before them', async () => {
    const reads = new SingleFlight<string>();
    const { started, read } = source();
    const first = reads.read('a', read);
    const second = reads.read('a', read);
    const third = reads.read('a', read);
    expect(started).toHaveLength(1);
    started[0]?.('old');
    await turn();
    expect(started).toHaveLength(2);
    started[1]?.('new');
    expect(await Promise.all([first, second, third])).toEqual(['old', 'new', 'new']);
    const fourth = reads.read('a', read);
    started[2]?.('newer');
    expect(await fourth).toBe('newer');
  });

  it('do not mix different keys', () => {
    const reads = new SingleFlight<string>();
    const { started, read } = source();
    void reads.read('a', read);
    void reads.read('b', read);
    expect(started).toHaveLength(2);
  });

  it('continue after a failure, which only its own callers see', async () => {
    const reads = new SingleFlight<string>();
    const { started, failed, read } = source();
    const first = reads.read('a', read);
    const second = reads.read('a', read);
    failed[0]?.(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await turn();
    started[1]?.('back');
    expect(await second).toBe('back');
  });
});
