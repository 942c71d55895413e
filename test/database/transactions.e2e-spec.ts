import { Database, type Statement } from '../../src/platform/database/database.js';
import { asUnavailable } from '../../src/platform/basics/errors/database-error.js';
import { startTestApp, type TestApp } from '../support/app.js';

const ADD: Statement = { name: 'test.add', text: 'INSERT INTO notes VALUES ($1)' };
const LOCK: Statement = { name: 'test.lock', text: 'SELECT FROM notes WHERE note = $1 FOR UPDATE' };
const BACKEND: Statement = { name: 'test.backend', text: 'SELECT pg_backend_pid() AS pid' };
const NOTHING_LIKE_IT: Statement = { name: 'test.fail', text: 'SELECT 1 / $1::integer' };

let app: TestApp;
let database: Database;
beforeAll(async () => {
  app = await startTestApp();
  database = app.app.get(Database);
  await app.dataSource.query('CREATE TABLE notes (note text PRIMARY KEY)');
});
afterAll(() => app.close());
beforeEach(() => app.dataSource.query('TRUNCATE notes'));

async function notes(): Promise<string[]> {
  const rows: { note: string }[] = await app.dataSource.query('SELECT note FROM notes ORDER BY 1');
  return rows.map(({ note }) => note);
}

async function pidOf(): Promise<number> {
  const [row] = await database.run<{ pid: number }>(BACKEND, []);
  return row?.pid ?? 0;
}

async function isConnected(pid: number): Promise<boolean> {
  const rows: object[] = await app.dataSource.query(
    'SELECT pid FROM pg_stat_activity WHERE pid = $1',
    [pid],
  );
  return rows.length > 0;
}

describe('A transaction', () => {
  it('whose connection is cut between two statements fails as a whole, and the process survives', async () => {
    const failed = database.transaction(async () => {
      await database.run(ADD, ['lost']);
      const pid = await pidOf();
      await app.dataSource.query('SELECT pg_terminate_backend($1)', [pid]);
      while (await isConnected(pid));
      await database.run(ADD, ['never']);
    });
    const error: unknown = await failed.catch((reason: unknown) => reason);
    expect(asUnavailable(error)?.kind).toBe('unavailable');
    await database.transaction(() => database.run(ADD, ['kept']));
    expect(await notes()).toEqual(['kept']);
  });

  it('that PostgreSQL aborted to resolve a deadlock runs again', async () => {
    for (const note of ['a', 'b']) await database.run(ADD, [note]);
    let attempts = 0;
    let bothHold: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (bothHold = resolve));
    let holding = 0;
    const crossing = (first: string, second: string) =>
      database.transaction(async () => {
        attempts += 1;
        await database.run(LOCK, [first]);
        holding += 1;
        if (holding === 2) bothHold();
        await both;
        await database.run(LOCK, [second]);
        await database.run(ADD, [first + second]);
      });
    await Promise.all([crossing('a', 'b'), crossing('b', 'a')]);
    expect(attempts).toBeGreaterThan(2);
    expect(await notes()).toEqual(['a', 'ab', 'b', 'ba']);
  });

  it('keeps what was done around a failed savepoint, and nothing within it', async () => {
    await database.transaction(async () => {
      await database.run(ADD, ['before']);
      const inner = database.savepoint(async () => {
        await database.run(ADD, ['inside']);
        await database.run(NOTHING_LIKE_IT, [0]);
      });
      await expect(inner).rejects.toThrow('division by zero');
      await database.run(ADD, ['after']);
    });
    expect(await notes()).toEqual(['after', 'before']);
  });

  it.each([
    ['transaction_timeout', 'SELECT pg_sleep(10)', /exceeded the time limit/],
    ['statement_timeout', 'SELECT pg_sleep(10)', /exceeded the time limit/],
    ['lock_timeout', 'SELECT pg_advisory_xact_lock(4711)', /Other requests have locked/],
  ])('reports why it failed when %s ended it within a savepoint', async (setting, text, words) => {
    const holder = app.dataSource.createQueryRunner();
    await holder.query('SELECT pg_advisory_lock(4711)');
    const failed = database.transaction(async () => {
      await database.run({ name: `test.set-${setting}`, text: `SET LOCAL ${setting} = 200` }, []);
      await database.savepoint(() => database.run({ name: `test.wait-${setting}`, text }, []));
    });
    const error: unknown = await failed.catch((reason: unknown) => reason);
    await holder.query('SELECT pg_advisory_unlock(4711)');
    await holder.release();
    expect(asUnavailable(error)?.message).toMatch(words);
  });

  it('undoes a successful savepoint together with its surroundings', async () => {
    await database.transaction(async () => {
      const outer = database.savepoint(async () => {
        await database.run(ADD, ['outside']);
        await database.savepoint(() => database.run(ADD, ['inside']));
        throw new Error('refused');
      });
      await expect(outer).rejects.toThrow('refused');
    });
    expect(await notes()).toEqual([]);
  });

  it('is never reported as done if one of its statements failed and the error was ignored', async () => {
    const done = database.transaction(async () => {
      await database.run(ADD, ['gone']);
      await database.run(NOTHING_LIKE_IT, [0]).catch(() => undefined);
    });
    await expect(done).rejects.toThrow('A failed statement was ignored');
    expect(await notes()).toEqual([]);
  });
});
