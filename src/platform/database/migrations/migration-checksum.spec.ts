import type { QueryRunner } from 'typeorm';
import { checksumOf } from './migration-checksum.js';

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
