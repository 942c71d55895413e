import { setTimeout as wait } from 'node:timers/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { AppError } from '../basics/errors/app-error.js';
import { ThreadPool, ThreadPoolError, type ThreadPoolOptions } from './thread-pool.js';

/** Threads that follow the instructions in their task. */
const MODULE = `
import { threadId } from 'node:worker_threads';
export default async ({ what, ms, port }) => {
  if (what === 'spin') for (;;);
  if (what === 'eat') { const all = []; for (;;) all.push(new Array(1e5).fill(Math.random())); }
  if (what === 'throw') throw new Error('broken');
  if (what === 'refuse') return { refused: { kind: 'bad_request', message: 'Not so.' } };
  if (what === 'break') { setImmediate(() => { throw new Error('broken'); }); await new Promise(() => {}); }
  if (what === 'exit') process.exit(3);
  if (what === 'wait') await new Promise((resolve) => setTimeout(resolve, ms));
  if (port) port.postMessage('half');
  return { result: { threadId, what } };
};
`;

let folder: string;
let filename: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thread-pool-'));
  await writeFile(join(folder, 'thread.mjs'), MODULE);
  filename = pathToFileURL(join(folder, 'thread.mjs')).href;
});
afterAll(() => rm(folder, { recursive: true }));

const pools: ThreadPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function pool(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const made = new ThreadPool({
    filename,
    execArgv: [],
    threads: 1,
    maxWaiting: 10,
    maxOfOwner: 10,
    timeLimitMs: 20_000,
    waitLimitMs: 20_000,
    idleMs: 20_000,
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    ...options,
  });
  pools.push(made);
  return made;
}

const threadOf = async (result: Promise<unknown>) =>
  ((await result) as { threadId: number }).threadId;
const failureOf = (result: Promise<unknown>) =>
  result.then(
    () => 'none',
    (error: unknown) => (error as ThreadPoolError).failure,
  );

describe('a thread pool', () => {
  it('starts its first thread with the first task and reuses it', async () => {
    const one = pool({ threads: 4 });
    const first = await threadOf(one.run('a', { what: 'answer' }));
    expect(await threadOf(one.run('a', { what: 'answer' }))).toBe(first);
  });

  it.each([
    ['timed out', { what: 'spin' }, { timeLimitMs: 2_000 }],
    ['out of memory', { what: 'eat' }, {}],
    ['crashed', { what: 'throw' }, {}],
    ['crashed', { what: 'break' }, {}],
    ['crashed', { what: 'exit' }, {}],
  ])(
    'ends a job that has %s with its thread, and goes on with another',
    async (failure, job, options) => {
      const one = pool(options);
      const failed = failureOf(one.run('a', job));
      const next = one.run('a', { what: 'answer' });
      expect(await failed).toBe(failure);
      expect(await next).toMatchObject({ what: 'answer' });
    },
  );

  it('rejects with the refusal that the module threw', async () => {
    const refused: unknown = await pool()
      .run('a', { what: 'refuse' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ kind: 'bad_request', message: 'Not so.' });
  });

  it('ends an aborted task, running or waiting, and continues with the next one', async () => {
    const one = pool();
    const [first, second] = [new AbortController(), new AbortController()];
    const running = failureOf(one.run('a', { what: 'spin' }, { signal: first.signal }));
    const waiting = failureOf(one.run('a', { what: 'spin' }, { signal: second.signal }));
    const next = one.run('a', { what: 'answer' });
    second.abort();
    expect(await waiting).toBe('aborted');
    first.abort();
    expect(await running).toBe('aborted');
    expect(await next).toMatchObject({ what: 'answer' });
    expect(await failureOf(one.run('a', { what: 'answer' }, { signal: first.signal }))).toBe(
      'aborted',
    );
  });

  it('transfers a port for progress reports', async () => {
    const { port1, port2 } = new MessageChannel();
    const report = new Promise((resolve) => port1.once('message', resolve));
    await pool().run('a', { what: 'answer', port: port2 }, { transferList: [port2] });
    expect(await report).toBe('half');
    port1.close();
  });

  it('limits the number of waiting tasks, in total and per owner', async () => {
    const one = pool({ maxWaiting: 2 });
    const jobs = [1, 2, 3, 4].map(() => failureOf(one.run('a', { what: 'wait', ms: 100 })));
    expect(await Promise.all(jobs)).toEqual(['none', 'none', 'none', 'overloaded']);
    const other = pool({ maxOfOwner: 2 });
    const shared = ['a', 'a', 'a', 'b'].map((owner) =>
      failureOf(other.run(owner, { what: 'wait', ms: 50 })),
    );
    expect(await Promise.all(shared)).toEqual(['none', 'none', 'overloaded', 'none']);
  });

  it('limits the bytes of all tasks together, but accepts any single task', async () => {
    const one = pool({ maxBytes: 100 });
    const run = (bytes: number) => failureOf(one.run('a', { what: 'answer' }, { bytes }));
    expect(await run(500)).toBe('none');
    const jobs = await Promise.all([60, 40, 1].map(run));
    expect(jobs).toEqual(['none', 'none', 'overloaded']);
    expect(await run(100)).toBe('none');
  });

  it('serves owners in turn with one thread', async () => {
    const one = pool();
    const order: string[] = [];
    const run = (owner: string) =>
      one.run(owner, { what: 'wait', ms: 10 }).then(() => order.push(owner));
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(run));
    expect(order.join('')).toBe('aabcaba');
  });

  it('does not let one owner starve another', async () => {
    const one = pool({ threads: 2 });
    const order: string[] = [];
    const run = (owner: string) =>
      one.run(owner, { what: 'wait', ms: 50 }).then(() => order.push(owner));
    await Promise.all([...['a', 'a', 'a', 'a', 'a'].map(run), run('b')]);
    expect(order.indexOf('b')).toBeLessThan(4);
  });

  it('refuses a task that has waited too long', async () => {
    const one = pool({ waitLimitMs: 50 });
    const running = failureOf(one.run('a', { what: 'wait', ms: 1_000 }));
    expect(await failureOf(one.run('b', { what: 'answer' }))).toBe('overloaded');
    expect(await running).toBe('none');
  });

  it('ends idle threads', async () => {
    const one = pool({ idleMs: 0 });
    const first = await threadOf(one.run('a', { what: 'answer' }));
    let later = first;
    while (later === first) {
      // Without a pause the thread would never be idle.
      await wait(5);
      later = await threadOf(one.run('a', { what: 'answer' }));
    }
    expect(later).toBeGreaterThan(first);
  });

  it('fails running and waiting tasks when it closes', async () => {
    const one = pool();
    const jobs = [
      failureOf(one.run('a', { what: 'spin' })),
      failureOf(one.run('a', { what: 'spin' })),
    ];
    await one.close();
    expect(await Promise.all(jobs)).toEqual(['closed', 'closed']);
    expect(await failureOf(one.run('a', { what: 'answer' }))).toBe('closed');
  });
});
