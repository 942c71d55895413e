import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { AppError } from '../basics/errors/app-error.js';
import { ThreadPool, ThreadPoolError, type ThreadPoolOptions } from './thread-pool.js';

/** Threads that do what their tasks request. */
const MODULE = `
import { threadId } from 'node:worker_threads';
const ports = [];
export default async ({ what, gate, port }) => {
  if (what === 'spin') for (;;);
  if (what === 'eat') { const all = []; for (;;) all.push(new Array(1e5).fill(Math.random())); }
  if (what === 'throw') throw new Error('broken');
  if (what === 'refuse') return { refused: { kind: 'bad_request', message: 'Not so.' } };
  if (what === 'break') { setImmediate(() => { throw new Error('broken'); }); await new Promise(() => {}); }
  if (what === 'exit') process.exit(3);
  if (what === 'hold') Atomics.wait(gate, 0, 0);
  if (port) ports.push(port);
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

/** Holds the threads of tasks `{ what: 'hold', gate }` until the gate is opened. */
const closedGate = () => new Int32Array(new SharedArrayBuffer(4));
function openGate(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

const threadOf = async (result: Promise<unknown>) =>
  ((await result) as { threadId: number }).threadId;
const failureOf = (result: Promise<unknown>) =>
  result.then(
    () => 'none',
    (error: unknown) => (error as ThreadPoolError).failure,
  );

describe('a thread pool', () => {
  it('starts no thread before the first job, and reuses it', async () => {
    const one = pool({ threads: 4 });
    const first = await threadOf(one.run('a', { what: 'answer' }));
    expect(await threadOf(one.run('a', { what: 'answer' }))).toBe(first);
  });

  it.each([
    ['out of memory', { what: 'eat' }],
    ['crashed', { what: 'throw' }],
    ['crashed', { what: 'break' }],
    ['crashed', { what: 'exit' }],
  ])('ends a job that has %s with its thread, and continues with another', async (failure, job) => {
    const one = pool();
    const failed = failureOf(one.run('a', job));
    const next = one.run('a', { what: 'answer' });
    expect(await failed).toBe(failure);
    expect(await next).toMatchObject({ what: 'answer' });
  });

  it('ends a job that has timed out with its thread, and continues with another', async () => {
    const one = pool({ timeLimitMs: 300 });
    expect(await failureOf(one.run('a', { what: 'spin' }))).toBe('timed out');
    let next = 'timed out';
    // On a slow machine, a thread may take longer than the limit to start.
    while (next === 'timed out') next = await failureOf(one.run('a', { what: 'answer' }));
    expect(next).toBe('none');
  });

  it('passes on an error as the module threw it', async () => {
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

  it('passes a port for progress reports to the task', async () => {
    const { port1, port2 } = new MessageChannel();
    const report = new Promise((resolve) => port1.once('message', resolve));
    await pool().run('a', { what: 'answer', port: port2 }, { transferList: [port2] });
    expect(await report).toBe('half');
    port1.close();
  });

  it('refuses jobs beyond the queue limit and beyond the limit of an owner', async () => {
    const one = pool({ maxWaiting: 2 });
    const jobs = [1, 2, 3, 4].map(() => failureOf(one.run('a', { what: 'answer' })));
    expect(await Promise.all(jobs)).toEqual(['none', 'none', 'none', 'overloaded']);
    const other = pool({ maxOfOwner: 2 });
    const shared = ['a', 'a', 'a', 'b'].map((owner) =>
      failureOf(other.run(owner, { what: 'answer' })),
    );
    expect(await Promise.all(shared)).toEqual(['none', 'none', 'overloaded', 'none']);
  });

  it('refuses jobs that hold too many bytes together, but never a single job', async () => {
    const one = pool({ maxBytes: 100 });
    const run = (bytes: number) => failureOf(one.run('a', { what: 'answer' }, { bytes }));
    expect(await run(500)).toBe('none');
    const jobs = await Promise.all([60, 40, 1].map(run));
    expect(jobs).toEqual(['none', 'none', 'overloaded']);
    expect(await run(100)).toBe('none');
  });

  it('alternates between owners on a single thread', async () => {
    const one = pool();
    const order: string[] = [];
    const run = (owner: string) => one.run(owner, { what: 'answer' }).then(() => order.push(owner));
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(run));
    expect(order.join('')).toBe('aabcaba');
  });

  it('does not make an owner wait for all jobs of another', async () => {
    const one = pool({ threads: 2 });
    const [first, others] = [closedGate(), closedGate()];
    const run = (gate: Int32Array) => failureOf(one.run('a', { what: 'hold', gate }));
    const jobs = [first, others, others, others, others].map(run);
    const another = one.run('b', { what: 'answer' });
    openGate(first);
    expect(await another).toMatchObject({ what: 'answer' });
    openGate(others);
    expect(await Promise.all(jobs)).toEqual(jobs.map(() => 'none'));
  });

  it('refuses a job that has waited too long', async () => {
    const one = pool({ waitLimitMs: 50 });
    const gate = closedGate();
    const running = failureOf(one.run('a', { what: 'hold', gate }));
    expect(await failureOf(one.run('b', { what: 'answer' }))).toBe('overloaded');
    openGate(gate);
    expect(await running).toBe('none');
  });

  it('ends idle threads', async () => {
    const one = pool({ idleMs: 0 });
    const { port1, port2 } = new MessageChannel();
    const ended = once(port1, 'close');
    port1.start();
    const task = { what: 'answer', port: port2 };
    const first = await threadOf(one.run('a', task, { transferList: [port2] }));
    // A thread that ends closes its ports.
    await ended;
    expect(await threadOf(one.run('a', { what: 'answer' }))).toBeGreaterThan(first);
  });

  it('fails running and waiting jobs when it closes', async () => {
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
