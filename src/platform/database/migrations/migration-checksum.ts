import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export const migrationName = (migration: MigrationInterface): string =>
  migration.name ?? migration.constructor.name;

/** TypeORM's convention: a migration's name ends with its time in epoch milliseconds. */
export const timestampOf = (name: string): number => Number(name.slice(-13));

/**
 * Returns the SHA-256, in hex, of the SQL and parameters that `up` sends, in order. No database is needed: `up` runs
 * against a recorder. Throws for a migration that reads the database or uses anything but `query()`, because its SQL would
 * then differ between databases.
 */
export async function checksumOf(migration: MigrationInterface): Promise<string> {
  const name = migrationName(migration);
  const statements: [sql: string, parameters: unknown[]][] = [];
  const query = (sql: string, parameters: unknown[] = []) => {
    statements.push([sql, parameters]);
    return Promise.resolve(unreadable(name, 'the result of a query'));
  };
  await migration.up(unreadable(name, 'the query runner', { query }) as unknown as QueryRunner);
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex');
}

/** An object that has only the members `allowed`, and throws when anything else of it is read. */
function unreadable(name: string, what: string, allowed: Record<string, unknown> = {}): object {
  const refuse = (): never => {
    throw new Error(
      `${name} reads ${what}. A migration may only send fixed SQL with runner.query(); let PostgreSQL decide, in a DO block or a WHERE clause.`,
    );
  };
  return new Proxy(allowed, {
    get: (target, key) => {
      // `await` asks every value whether it is a promise.
      if (key === 'then') return undefined;
      return typeof key === 'string' && Object.hasOwn(target, key) ? target[key] : refuse();
    },
    has: refuse,
    ownKeys: refuse,
    getPrototypeOf: refuse,
  });
}
