import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { request } from 'undici';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { SCHEMA } from '../../src/tables.js';
import { makeAccount, type TestAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { drillCount } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
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

const environment = (primary = 'a', replica = 'b') => ({
  DATABASE_URL: postgres.url(primary),
  DATABASE_READ_URL: postgres.url(replica),
  SECRETS_KEY,
  PROCESS_ROLE: 'api',
});
const start = () => startService(environment());

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
  it('Lists on a replica contain every own change, whichever process answers, while the replica follows the primary', async () => {
    await untilUsed();
    expect(await missedCreations()).toEqual([]);
    await untilUsed();
  });

  it('Lists on a replica contain every own change, whichever process answers, while the replica is 10 s behind', async () => {
    await postgres.configure('b', { recovery_min_apply_delay: '10s' });
    expect(await missedCreations()).toEqual([]);
    await postgres.configure('b', { recovery_min_apply_delay: '0' });
  });

  it('Lists on a replica contain every own change, whichever process answers, while its replay is paused, and is used again afterwards', async () => {
    await postgres.query('b', 'SELECT pg_wal_replay_pause()');
    expect(await missedCreations()).toEqual([]);
    await postgres.query('b', 'SELECT pg_wal_replay_resume()');
    await untilUsed();
  });

  it('Lists on a replica contain every own change, whichever process answers, while its processes are suspended in the middle, and is used again afterwards', async () => {
    const missed = missedCreations();
    await postgres.pause('b');
    expect(await missed).toEqual([]);
    await postgres.resume('b');
    await untilUsed();
  });

  it('Lists on a replica contain every own change, whichever process answers, while it crashes and restarts in the middle, and a start without it succeeds', async () => {
    const missed = missedCreations();
    await postgres.crash('b');
    const alone = await start();
    expect(alone.output()).toContain('The replica cannot be used.');
    expect(await alone.end()).toBe(0);
    await postgres.start('b');
    expect(await missed).toEqual([]);
    await untilUsed();
  });

  it('Lists on a replica contain every own change, whichever process answers, after the replica was promoted and is none any more', async () => {
    await postgres.promote('b');
    expect(await missedCreations()).toEqual([]);
  });
});

describe('After a failover', () => {
  it('no list runs on a standby that kept changes which the new primary lacks', async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    await dataSource.destroy();
    await postgres.remove();
    postgres = await ReplicatedPostgres.start('a');
    await postgres.addStandby('b');
    await postgres.addStandby('c');
    await (await startService(environment('a', 'c'))).end();
    await postgres.pause('b');
    // More than the buffers of b's connection hold: c is ahead of it by this much.
    await postgres.query(
      'a',
      `SELECT pg_logical_emit_message(false, 'drill', repeat('x', 64000000))`,
    );
    const [{ at } = { at: '' }] = await postgres.query<{ at: string }>(
      'a',
      'SELECT pg_current_wal_lsn() AS at',
    );
    await eventually(async () => {
      const [row] = await postgres.query<{ ok: boolean }>(
        'c',
        `SELECT pg_last_wal_replay_lsn() >= '${at}' AS ok`,
      );
      return row?.ok;
    });
    await postgres.crash('a');
    await postgres.resume('b');
    await postgres.promote('b');
    const [behind] = await postgres.query<{ ok: boolean }>(
      'b',
      `SELECT pg_current_wal_lsn() < '${at}' AS ok`,
    );
    expect(behind?.ok).toBe(true);
    services = [
      await startService(environment('b', 'c')),
      await startService(environment('b', 'c')),
    ];
    dataSource = await new DataSource(dataSourceOptions(postgres.url('b'), 2, SCHEMA)).initialize();
    expect(await missedCreations()).toEqual([]);
    expect(await replicaReads()).toEqual([0, 0]);
  });

  it('a standby of the new primary is used again', async () => {
    await postgres.addStandby('d', { of: 'b' });
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    services = [
      await startService(environment('b', 'd')),
      await startService(environment('b', 'd')),
    ];
    await untilUsed();
    expect(await missedCreations()).toEqual([]);
  });
});

it('A database of another cluster is reported at startup and never used as a replica', async () => {
  const another = await ReplicatedPostgres.start('x');
  const [service] = services;
  await service?.end('SIGKILL');
  const url = another.url('x');
  services[0] = await startService({ ...environment('b', 'd'), DATABASE_READ_URL: url });
  expect(services[0].output()).toContain('DATABASE_READ_URL leads to another database');
  expect(await missedCreations()).toEqual([]);
  expect((await replicaReads())[0]).toBe(0);
  await another.remove();
});

/** Waits until both services use the replica. */
async function untilUsed(): Promise<void> {
  const before = await replicaReads();
  await eventually(async () => {
    await missedCreations(CLIENTS);
    return (await replicaReads()).every((reads, index) => reads > (before[index] ?? 0));
  });
}

function replicaReads(): Promise<number[]> {
  return Promise.all(
    services.map(async ({ origin }) => {
      const { body } = await request(`${origin}/metrics`);
      return Number(/^database_replica_reads_total (\d+)$/m.exec(await body.text())?.[1]);
    }),
  );
}
