import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DocumentService } from '@document-service/client';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { drillCount } from '../support/drills.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

/** Time for the writers, and then for the readers to finish, in ms. */
const WRITING_MS = drillCount({ small: 3_000, full: 8_000 });
const CATCHING_UP_MS = 40_000;
/** A limit for busy machines. The run itself takes about 15 seconds. */
const TEST_MS = 140_000;
const KILLS = drillCount({ small: 1, full: 2 });

let database: Awaited<ReturnType<typeof openTestDatabase>>;
const started: ServiceProcess[] = [];
afterAll(async () => {
  await Promise.all(started.map((process) => process.end('SIGKILL')));
  await database.drop();
});

interface Listed {
  id: string;
  timestamp: string;
}

it(
  'pollers and a stream see every committed event, in one order, while writers race and processes are killed',
  async () => {
    database = await openTestDatabase();
    const environment = {
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PROCESS_ROLE: 'api',
    };
    const ports = [await freePort(), await freePort()];
    const start = async (index: number): Promise<ServiceProcess> => {
      const service = await startService({ ...environment, PORT: String(ports[index]) });
      started.push(service);
      return service;
    };
    let [killed] = await Promise.all([start(0), start(1)]);
    const { accountId, key } = await makeAccount(database.dataSource);
    const apis = ports.map((port) => new ApiClient(`http://127.0.0.1:${String(port)}`, key));
    const apiAt = (n: number) => apis[n % 2] as ApiClient;
    await apiAt(1).createDocument({ title: 'First' });

    let writing = true;
    let reading = true;
    const signal = AbortSignal.timeout(TEST_MS);

    /** Repeats a request to either process until one responds. */
    const insist = async (send: (api: ApiClient) => Promise<ApiResponse>): Promise<ApiResponse> => {
      for (let n = 0; ; n += 1) {
        const response = await send(apiAt(n)).catch(() => undefined);
        if (response && response.status < 500) return response;
        signal.throwIfAborted();
        await pause(20);
      }
    };
    const document = () => ({ op: 'create', document: { title: 'Written' } });
    const inTransaction = async (end: 'COMMIT' | 'ROLLBACK') => {
      const session = database.dataSource.createQueryRunner();
      await session.startTransaction();
      const id = newUuid();
      const body = JSON.stringify({
        id: encodeId('event', id),
        type: 'document.updated',
        timestamp: new Date().toISOString(),
        data: {},
      });
      await session.query(
        `INSERT INTO events (id, account_id, type, full_body, thin_body, created_at)
       VALUES ($1, $2, 'document.updated', $3, $3, now())`,
        [id, accountId, body],
      );
      await session.query('SELECT pg_sleep(random() * 0.2)');
      await (end === 'COMMIT' ? session.commitTransaction() : session.rollbackTransaction());
      await session.release();
    };
    let keys = 0;
    const writes: ((n: number) => Promise<unknown>)[] = [
      (n) => apiAt(n).createDocument({ title: 'Single' }),
      (n) => apiAt(n + 1).createDocument({ title: 'Single' }),
      (n) => apiAt(n).batchDocuments({ operations: Array.from({ length: 10 }, document) }),
      (n) =>
        apiAt(n).batchDocuments({ operations: Array.from({ length: 5 }, document), atomic: true }),
      () => {
        const headers = { 'idempotency-key': `key-${String((keys += 1))}` };
        return insist((api) => api.createDocument({ title: 'Keyed' }, headers));
      },
      (n) =>
        apiAt(n).batchDocuments({
          operations: [document(), { op: 'create', document: {} }],
          atomic: true,
        }),
      () => inTransaction('ROLLBACK'),
      () => inTransaction('COMMIT'),
    ];
    const writers = writes.map(async (write) => {
      // A killed process does not respond.
      for (let n = 0; writing; n += 1) await write(n).catch(() => pause(20));
    });

    /** Polls by cursor, using either process. */
    const poll = async (seen: string[], limit: number) => {
      for (let after = 'start'; reading;) {
        const response = await insist((api) => api.listEvents({ after, limit }));
        if (response.status !== 200) throw new Error(response.text);
        const { pagination } = response.body.meta as {
          pagination: { hasMore: boolean; nextCursor: string };
        };
        seen.push(...(response.body.data as Listed[]).map(({ id }) => id));
        after = pagination.nextCursor;
        if (!pagination.hasMore) await pause(30);
      }
    };
    /** A common mistake: each request starts at the newest time seen so far. It misses events. */
    const pollByTime = async (seen: Set<string>) => {
      for (let since: string | undefined; reading;) {
        const response = await insist((api) => api.listEvents({ order: 'asc', limit: 100, since }));
        const events = response.body.data as Listed[];
        for (const { id } of events) seen.add(id);
        since = events.at(-1)?.timestamp ?? since;
        if (events.length < 100) await pause(30);
      }
    };
    const client = new DocumentService({
      baseUrl: `http://127.0.0.1:${String(ports[0])}`,
      apiKey: key,
      retryDelayMs: 20,
    });
    const stop = new AbortController();
    const follow = async (seen: string[]) => {
      const options = { after: 'start', signal: stop.signal, pollMs: 30, maxPollMs: 100 };
      for await (const { id, cursor } of client.events.follow(options)) {
        if (typeof cursor !== 'string') throw new Error('no cursor');
        seen.push(id);
      }
    };
    const [first] = (await apiAt(1).listEvents({ order: 'asc' })).body.data as [Listed];
    const stream = async (seen: string[]) => {
      const options = { lastEventId: first.id, signal: stop.signal };
      seen.push(first.id);
      for await (const { id } of client.events.stream(options)) seen.push(id);
    };
    const untilStopped = (work: Promise<void>) =>
      work.catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      });
    const seen = {
      small: [] as string[],
      large: [] as string[],
      sdk: [] as string[],
      stream: [] as string[],
    };
    const byTime = new Set<string>();
    const readers = [
      poll(seen.small, 7),
      poll(seen.large, 100),
      untilStopped(follow(seen.sdk)),
      untilStopped(stream(seen.stream)),
      pollByTime(byTime),
    ];

    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(WRITING_MS / (KILLS + 1));
      await killed.end('SIGKILL');
      killed = await start(0);
    }
    await pause(WRITING_MS / (KILLS + 1));
    writing = false;
    await Promise.all(writers);

    const committed = (
      await database.dataSource.query<{ id: string }[]>(
        'SELECT id FROM events WHERE account_id = $1 ORDER BY position, id',
        [accountId],
      )
    ).map(({ id }) => encodeId('event', id));
    const end = performance.now() + CATCHING_UP_MS;
    const isDone = () => Object.values(seen).every((ids) => ids.includes(committed.at(-1) ?? ''));
    while (!isDone() && performance.now() < end) await pause(50);
    reading = false;
    stop.abort();
    await Promise.all(readers);

    expect(committed.length).toBeGreaterThan(200);
    for (const [reader, ids] of Object.entries(seen)) {
      // At least once, and in the order of the stream.
      expect([reader, [...new Set(ids)]]).toEqual([reader, committed]);
    }
    // The same run loses events for a client that polls by time. Otherwise it would prove nothing.
    expect(committed.filter((id) => !byTime.has(id)).length).toBeGreaterThan(0);
  },
  TEST_MS + 10_000,
);
