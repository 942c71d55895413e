import { readFileSync } from 'node:fs';
import type { QueryRunner } from 'typeorm';
import { addChecksums, checksumOf, checksumProblems } from '../../scripts/migration-checksums.js';
import { FirstSchema1770000000000 } from '../../src/migrations/1770000000000-first-schema.js';
import { SCHEMA } from '../../src/tables.js';

function migration(up: (runner: QueryRunner) => Promise<unknown>) {
  return {
    name: 'Example1999000000000',
    up: up as () => Promise<void>,
    down: () => Promise.resolve(),
  };
}

const addColumn = 'ALTER TABLE documents ADD COLUMN note text';

describe('The checksum of a migration', () => {
  it('depends on the SQL, its parameters and its order, and not on the code around it', async () => {
    const plain = await checksumOf(migration((runner) => runner.query(addColumn)));
    const looped = migration(async (runner) => {
      for (const sql of [addColumn]) await runner.query(sql);
    });
    expect(plain).toMatch(/^[0-9a-f]{64}$/);
    expect(await checksumOf(looped)).toBe(plain);
    const others = [
      migration((runner) => runner.query(`${addColumn} NOT NULL`)),
      migration((runner) => runner.query(addColumn, ['parameter'])),
      migration(async (runner) => {
        await runner.query('SELECT 1');
        await runner.query(addColumn);
      }),
      migration(async (runner) => {
        await runner.query(addColumn);
        await runner.query('SELECT 1');
      }),
    ];
    const sums = await Promise.all(others.map(checksumOf));
    expect(new Set([plain, ...sums]).size).toBe(5);
  });

  it.each<[string, (runner: QueryRunner) => Promise<unknown>]>([
    [
      'the rows of a query',
      async (runner) => {
        const rows = (await runner.query('SELECT id FROM accounts')) as unknown[];
        if (rows.length > 0) await runner.query(addColumn);
      },
    ],
    [
      'a row by destructuring',
      async (runner) => {
        const [row] = (await runner.query('SELECT 1 AS found')) as { found: number }[];
        if (row) await runner.query(addColumn);
      },
    ],
    ['the schema', (runner) => runner.hasTable('documents')],
    [
      'the settings of the connection',
      (runner) => runner.query(runner.dataSource.driver.schema ?? ''),
    ],
  ])('cannot be computed for a migration that depends on %s', async (_, up) => {
    await expect(checksumOf(migration(up))).rejects.toThrow(
      /^Example1999000000000 reads .* may only send fixed SQL/,
    );
  });
});

describe('npm run check:migrations', () => {
  const landed = () => SCHEMA.migrations.map((Migration) => new Migration());
  const edited = {
    name: 'FirstSchema1770000000000',
    up: async (runner: QueryRunner) => {
      await new FirstSchema1770000000000().up(runner);
      await runner.query('ALTER TABLE documents ADD COLUMN note text');
    },
    down: () => Promise.resolve(),
  };
  const unlanded = {
    name: 'Later1999000000000',
    up: (runner: QueryRunner) => runner.query('SELECT 1') as Promise<void>,
    down: () => Promise.resolve(),
  };

  it('accepts unchanged migrations', async () => {
    expect(await checksumProblems(landed())).toEqual([]);
  });

  it('names an edited migration, and no command replaces its checksum', async () => {
    const before = readFileSync('src/migrations/checksums.json', 'utf8');
    const migrations = [edited, ...landed().slice(1), unlanded];
    expect((await checksumProblems(migrations)).join('\n')).toMatch(
      /^The SQL of FirstSchema1770000000000 differs from the committed SQL .* Undo the edit and write a new migration/m,
    );
    expect(await addChecksums(migrations)).toMatchObject({ added: [] });
    expect(readFileSync('src/migrations/checksums.json', 'utf8')).toBe(before);
  });

  it('names a migration without a checksum and the command that adds it', async () => {
    expect(await checksumProblems([...landed(), unlanded])).toEqual([
      expect.stringMatching(/^Later1999000000000 has no checksum .* npm run migrations:checksum$/),
    ]);
  });

  it('names a migration that was removed', async () => {
    expect((await checksumProblems(landed().slice(1))).join('\n')).toMatch(
      /^FirstSchema1770000000000 is in .*checksums\.json, but SCHEMA\.migrations .* Put it back/m,
    );
  });
});
