import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { SCHEMA } from '../../src/tables.js';
import { makeAccount, type TestAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { drillCount } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import { spawnService, startService, type ServiceProcess } from '../support/service-process.js';
import { ReplicatedPostgres } from '../support/standby.js';

jest.setTimeout(900_000);

/** Creations in each state of the replica, each followed by a list. */
const CREATIONS = drillCount({ small: 160, full: 10_000 });
const CLIENTS = 8;
const SECRETS_KEY = randomBytes(32).toString('base64');

let postgres: ReplicatedPostgres;
let dataSource: DataSource;
let services: ServiceProcess[] = [];
beforeAll(async () => {
  postgres = await ReplicatedPostgres.start('a');
  // Empty tables, which the first service creates.
  await postgres.addStandby('b');
  services = [await start(), await start()];
  dataSource = await new DataSource(dataSourceOptions(postgres.url('a'), 2, SCHEMA)).initialize();
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGKILL')));
  await dataSource.destroy();
  await postgres.remove();
});

const environment = (replica = postgres.url('b')) => ({
  DATABASE_URL: postgres.url('a'),
  DATABASE_READ_URL: replica,
  SECRETS_KEY,
  PROCESS_ROLE: 'api',
});
const start = () => startService(environment());

/** Number of lists that connections to a server have run last. */
async function listsOn(name: string): Promise<number> {
  const [row] = await postgres.query<{ lists: number }>(
    name,
    `SELECT count(*)::integer AS lists FROM pg_stat_activity
      WHERE application_name = 'document-service' AND query LIKE '%FROM documents%' AND query LIKE '%total%'`,
  );
  return row?.lists ?? 0;
}

/** Clients create at one process and list at the other. Returns the creations that their list did not contain. */
async function missedCreations(creations = CREATIONS): Promise<string[]> {
  const missed: string[] = [];
  const client = async (account: TestAccount, own: number) => {
    for (let turn = 0; turn < creations / CLIENTS; turn += 1) {
      const [writer, reader] = services.map(({ origin }) => new ApiClient(origin, account.key));
      const [at, other] = turn % 2 === own % 2 ? [writer, reader] : [reader, writer];
      const created = await at?.createDocument({ title: `Turn ${String(turn)}`, content: 'text' });
      expect(created?.status).toBe(201);
      const { id } = created?.body.data as { id: string };
      const listed = await other?.listDocuments({ limit: 1 });
      expect(listed?.status).toBe(200);
      const { data, meta } = listed?.body as {
        data: { id: string }[];
        meta: { pagination: { total: number } };
      };
      if (data[0]?.id !== id || meta.pagination.total !== turn + 1) missed.push(id);
    }
  };
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, own) => client(await makeAccount(dataSource), own)),
  );
  return missed;
}

describe('Lists on a replica contain every own change, whichever process answers,', () => {
  it('while the replica follows the primary, which then answers no list', async () => {
    expect(await missedCreations()).toEqual([]);
    expect(await listsOn('b')).toBeGreaterThan(0);
  });

  it('while the replica is 10 s behind', async () => {
    await postgres.configure('b', { recovery_min_apply_delay: '10s' });
    expect(await missedCreations()).toEqual([]);
    await postgres.configure('b', { recovery_min_apply_delay: '0' });
  });

  it('while its replay is paused, and is used again afterwards', async () => {
    await postgres.query('b', 'SELECT pg_wal_replay_pause()');
    expect(await missedCreations()).toEqual([]);
    await postgres.query('b', 'SELECT pg_wal_replay_resume()');
    await untilUsed();
  });

  it('while its processes are suspended in the middle, and is used again afterwards', async () => {
    const missed = missedCreations();
    await postgres.pause('b');
    expect(await missed).toEqual([]);
    await postgres.resume('b');
    await untilUsed();
  });

  it('while it crashes and restarts in the middle, and a start without it succeeds', async () => {
    const missed = missedCreations();
    await postgres.crash('b');
    const alone = await start();
    expect(alone.output()).toContain('The replica is unreachable.');
    expect(await alone.end()).toBe(0);
    await postgres.start('b');
    expect(await missed).toEqual([]);
    await untilUsed();
  });

  it('after the replica was promoted and is none any more', async () => {
    await postgres.promote('b');
    expect(await missedCreations()).toEqual([]);
  });
});

describe('A start with DATABASE_READ_URL', () => {
  it('ends if it leads to a database of another cluster', async () => {
    const another = await ReplicatedPostgres.start('x');
    const service = spawnService(environment(another.url('x')));
    await once(service.child, 'close');
    expect(service.child.exitCode).toBe(1);
    expect(service.output()).toMatch(
      /^DATABASE_READ_URL leads to another database than migrations do/m,
    );
    await another.remove();
  });
});

async function untilUsed(): Promise<void> {
  const before = await queriesOn('b');
  await eventually(async () => {
    await missedCreations(CLIENTS);
    return (await queriesOn('b')) > before;
  });
}

/** Increases with each list on the server. */
async function queriesOn(name: string): Promise<number> {
  const [row] = await postgres.query<{ at: number }>(
    name,
    `SELECT coalesce(max(extract(epoch FROM query_start)), 0)::float8 AS at FROM pg_stat_activity
      WHERE application_name = 'document-service' AND query LIKE '%FROM documents%' AND query LIKE '%total%'`,
  );
  return row?.at ?? 0;
}
