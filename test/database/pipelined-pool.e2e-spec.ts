import { setTimeout as wait } from 'node:timers/promises';
import { newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { Database } from '../../src/platform/database/database.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

let app: TestApp;
let database: Database;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
  database = app.app.get(Database);
  // The first read starts to connect, and is answered by the pool.
  await until(async () => (await readFor(newUuid())).limit === '100ms');
});
afterAll(() => app.close());

interface Response {
  pid: number;
  limit: string;
  value: string;
}

/** Sleeps in the database. The time limit shows which connections answered. */
async function readFor(accountId: string, seconds = 0, value = ''): Promise<Response> {
  const text = `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS limit, $2::text AS value
                  FROM (SELECT pg_sleep($1::float)) AS slept`;
  const statement = { name: 'test.sleep', text };
  const [row] = await database.read<Response>(statement, [seconds, value], accountId);
  if (!row) throw new Error('There is no row.');
  return row;
}

/** Returns an account whose read was quick. On a busy machine, any read may take too long. */
async function quickAccount(): Promise<string> {
  for (;;) {
    const accountId = newUuid();
    if ((await readFor(accountId)).limit === '100ms') return accountId;
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(20);
}

describe('A short read', () => {
  it('that takes too long is answered by the pool, as are those of its account for a minute', async () => {
    const slow = await quickAccount();
    expect((await readFor(slow, 0.3)).limit).toBe('2s');
    expect((await readFor(slow)).limit).toBe('2s');
    await quickAccount();
  });

  it('gets its own rows beside others, slow ones too', async () => {
    const reads = Array.from({ length: 200 }, (_, n) =>
      readFor(newUuid(), n % 50 === 0 ? 0.15 : 0, String(n)),
    );
    const values = (await Promise.all(reads)).map(({ value }) => value);
    expect(values).toEqual(reads.map((_, n) => String(n)));
  });

  it('survives the loss of its connections, which are replaced', async () => {
    const pids = new Set<number>();
    const end = async () => {
      const { pid, limit } = await readFor(newUuid());
      if (limit !== '100ms') return false;
      pids.add(pid);
      const lost = Array.from({ length: 20 }, (_, n) => readFor(newUuid(), 0.02, String(n)));
      await app.dataSource.query('SELECT pg_terminate_backend($1)', [pid]);
      const values = (await Promise.all(lost)).map(({ value }) => value);
      expect(values).toEqual(lost.map((_, n) => String(n)));
      return pids.size > 4;
    };
    await until(end);
  });

  it('of one account never fails because of a locked table of another', async () => {
    const [searching, listing] = [await app.account(), await app.account()];
    await listing.api.createDocument({ title: 'one' });
    const runner = app.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE search_chunks');
    const search = searching.api.listDocuments({ q: 'word' });
    for (let n = 0; n < 50; n += 1) expectSuccess(await listing.api.listDocuments({}));
    await wait(300);
    await runner.rollbackTransaction();
    await runner.release();
    // It waited for the table. On a busy machine, that took longer than it may.
    expect([200, 503]).toContain((await search).status);
  });
});
