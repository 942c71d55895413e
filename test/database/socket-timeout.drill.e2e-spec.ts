import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Database, type Statement } from '../../src/platform/database/database.js';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { asUnavailable } from '../../src/platform/basics/errors/database-error.js';
import { openTestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const SILENCE_MS = 400;
const BACKEND: Statement = { name: 'test.backend', text: 'SELECT pg_backend_pid() AS pid' };

let test: Awaited<ReturnType<typeof openTestDatabase>>;
let proxy: TcpProxy;
let dataSource: DataSource;
let database: Database;
beforeEach(async () => {
  test = await openTestDatabase();
  const url = new URL(test.url);
  proxy = await TcpProxy.start(Number(url.port), url.hostname);
  url.host = `127.0.0.1:${String(proxy.port)}`;
  const options = dataSourceOptions(url.href, 2, SCHEMA, { silence: SILENCE_MS });
  dataSource = await new DataSource(options).initialize();
  database = new Database(dataSource);
});
afterEach(async () => {
  await dataSource.destroy();
  await proxy.close();
  await test.drop();
});

async function backend(): Promise<number | undefined> {
  const [row] = await database.run<{ pid: number }>(BACKEND, []);
  return row?.pid;
}

describe('A connection to PostgreSQL', () => {
  it('that falls silent during a statement is closed: the statement is unavailable, the next one uses a new connection', async () => {
    const before = await backend();
    proxy.silence();
    const failure: unknown = await backend().catch((error: unknown) => error);
    expect(asUnavailable(failure)?.kind).toBe('unavailable');
    const after = await backend();
    expect(after).toEqual(expect.any(Number));
    expect(after).not.toBe(before);
  });

  it('that falls silent within a transaction fails the transaction', async () => {
    const work = database.transaction(async () => {
      await database.run(BACKEND, []);
      proxy.silence();
      await database.run(BACKEND, []);
    });
    const failure: unknown = await work.catch((error: unknown) => error);
    expect(asUnavailable(failure)?.kind).toBe('unavailable');
    expect(await backend()).toEqual(expect.any(Number));
  });

  it('stays open while idle, even between the statements of a transaction', async () => {
    const before = await backend();
    await delay(2 * SILENCE_MS);
    expect(await backend()).toBe(before);
    const within = await database.transaction(async () => {
      await database.run(BACKEND, []);
      await delay(2 * SILENCE_MS);
      return database.run<{ pid: number }>(BACKEND, []);
    });
    expect(within).toEqual([{ pid: before }]);
  });
});
