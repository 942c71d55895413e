import { getRepositoryToken } from '@nestjs/typeorm';
import { Client } from 'pg';
import { In, type Repository } from 'typeorm';
import { UserEntity } from '../../src/features/auth/entities/user.entity.js';
import { Database, type Statement } from '../../src/platform/database/database.js';
import { newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { asUnavailable } from '../../src/platform/basics/errors/database-error.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

const ADD: Statement = { name: 'test.add', text: 'INSERT INTO notes VALUES ($1)' };
const LOCK: Statement = { name: 'test.lock', text: 'SELECT FROM notes WHERE note = $1 FOR UPDATE' };
const BACKEND: Statement = { name: 'test.backend', text: 'SELECT pg_backend_pid() AS pid' };
const NOTHING_LIKE_IT: Statement = { name: 'test.fail', text: 'SELECT 1 / $1::integer' };

const ANNOUNCE: Statement = {
  name: 'test.announce',
  text: `SELECT pg_notify('notes', note) FROM unnest($1::text[]) AS note`,
};

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

describe('A repository that Nest injected', () => {
  const users = () => app.app.get<Repository<UserEntity>>(getRepositoryToken(UserEntity));
  const user = (name: string) => ({
    ...{ id: newUuid(), name, email: `${name}@example.com`, createdAt: new Date() },
    ...{ emailVerifiedAt: null, formerEmail: null, formerUserSeenAt: null },
  });
  const isStored = async (name: string) => {
    const found: object[] = await app.dataSource.query('SELECT FROM users WHERE name = $1', [name]);
    return found.length === 1;
  };
  const refused = () => Promise.reject(new Error('refused'));

  it('leaves nothing of what it wrote in a transaction that is rolled back', async () => {
    const work = database.transaction(async () => {
      await users().insert(user('insert'));
      await users().upsert(user('upsert'), ['id']);
      await users().createQueryBuilder().insert().values(user('builder')).execute();
      expect(await users().existsBy({ name: 'insert' })).toBe(true);
      await refused();
    });
    await expect(work).rejects.toThrow('refused');
    const stored = await Promise.all(['insert', 'upsert', 'builder'].map(isStored));
    expect(stored).toEqual([false, false, false]);
  });

  it('leaves nothing of what it wrote in a savepoint that is rolled back', async () => {
    await database.transaction(async () => {
      await users().insert(user('before'));
      const inner = database.savepoint(async () => {
        await users().insert(user('inside'));
        await refused();
      });
      await expect(inner).rejects.toThrow('refused');
    });
    expect([await isStored('before'), await isStored('inside')]).toEqual([true, false]);
  });

  it('refuses work that was not awaited before its transaction ended', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let late: Promise<unknown> = Promise.resolve();
    const work = database.transaction(async () => {
      late = ended.then(() => users().insert(user('late')));
      late.catch(() => undefined);
      await refused();
    });
    await expect(work).rejects.toThrow('refused');
    end();
    await expect(late).rejects.toThrow('A statement was sent after its transaction ended.');
    expect(await isStored('late')).toBe(false);
  });

  it('never reports a transaction as done whose statement failed and was ignored', async () => {
    const work = database.transaction(async () => {
      await users().insert(user('gone'));
      await users()
        .insert({ ...user('gone'), email: 'gone@example.com' })
        .catch(() => undefined);
    });
    await expect(work).rejects.toThrow('A failed statement was ignored');
    expect(await isStored('gone')).toBe(false);
  });

  it('writes for concurrent transactions each in its own', async () => {
    const names = ['one', 'two'];
    const allOf = () => {
      let arrived = 0;
      let release: () => void = () => undefined;
      const all = new Promise<void>((resolve) => (release = resolve));
      return () => {
        arrived += 1;
        if (arrived === names.length) release();
        return all;
      };
    };
    const [allWrote, allCounted] = [allOf(), allOf()];
    const visible = names.map((name) =>
      database.transaction(async () => {
        await users().insert(user(name));
        await allWrote();
        const count = await users().countBy({ name: In(names) });
        // Otherwise the other one could see what this one commits.
        await allCounted();
        return count;
      }),
    );
    expect(await Promise.all(visible)).toEqual([1, 1]);
  });
});

describe('An announcement', () => {
  let listener: Client;
  /** Announced notes, and whether the listener found each when it was notified. */
  let heard: { note: string; isStored: boolean }[];
  let looking = Promise.resolve();
  beforeEach(async () => {
    heard = [];
    listener = new Client({
      connectionString: (app.dataSource.options as { url: string }).url,
    });
    await listener.connect();
    listener.on('notification', ({ payload: note = '' }) => {
      looking = looking.then(async () => {
        const { rowCount } = await listener.query('SELECT FROM notes WHERE note = $1', [note]);
        heard.push({ note, isStored: rowCount === 1 });
      });
    });
    await listener.query('LISTEN notes');
  });
  afterEach(() => listener.end());

  const write = async (note: string) => {
    await database.run(ADD, [note]);
    database.announce(ANNOUNCE, [note]);
  };
  /** Returns all announced notes, once one that is written now has been announced after them. */
  const announced = async () => {
    await write('last');
    await eventually(() => heard.some(({ note }) => note === 'last'));
    expect(heard.filter(({ isStored }) => !isStored)).toEqual([]);
    return heard.map(({ note }) => note).sort();
  };

  it('follows the commit of the outermost transaction', async () => {
    await database.transaction(async () => {
      await write('outside');
      await database.transaction(() => write('inside'));
      await database.savepoint(() => write('savepoint'));
      // Gives an announcement that comes too early the time to arrive.
      await database.run({ name: 'test.sleep', text: 'SELECT pg_sleep(0.1)' }, []);
      expect(heard).toEqual([]);
    });
    expect(await announced()).toEqual(['inside', 'last', 'outside', 'savepoint']);
  });

  it('never comes from what was rolled back', async () => {
    const refused = () => Promise.reject(new Error('refused'));
    await database.transaction(async () => {
      await write('before');
      const outer = database.savepoint(async () => {
        await database.savepoint(() => write('inner'));
        await write('outer');
        await refused();
      });
      await expect(outer).rejects.toThrow('refused');
      await write('after');
    });
    const failed = database.transaction(async () => {
      await write('gone');
      await refused();
    });
    await expect(failed).rejects.toThrow('refused');
    const ignored = database.transaction(async () => {
      await write('ignored');
      await database.run(NOTHING_LIKE_IT, [0]).catch(() => undefined);
    });
    await expect(ignored).rejects.toThrow('A failed statement was ignored');
    expect(await announced()).toEqual(['after', 'before', 'last']);
  });

  it('comes once from a transaction that ran again after a deadlock', async () => {
    let attempts = 0;
    await database.transaction(async () => {
      attempts += 1;
      await write('again');
      if (attempts === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
    });
    expect(attempts).toBe(2);
    expect(await announced()).toEqual(['again', 'last']);
  });

  it('that PostgreSQL refuses fails no caller', async () => {
    database.announce(
      { name: 'test.refused', text: 'SELECT 1 / length($1::text[]::text)::integer / 0' },
      ['x'],
    );
    expect(await announced()).toEqual(['last']);
  });
});
