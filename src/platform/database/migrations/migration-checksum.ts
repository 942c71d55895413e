import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export const migrationName = (migration: MigrationInterface): string =>
  migration.name ?? migration.constructor.name;

/** Returns the epoch milliseconds at the end of a migration's name (a TypeORM convention). */
export const timestampOf = (name: string): number => Number(name.slice(-13));

/**
 * Returns the SHA-256, in hex, of the SQL and parameters that `up` sends, in order. `up` runs against a recorder,
 * without a database. Throws if it reads the database or uses anything but `query()`, because its SQL could then differ
 * between databases.
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

/** Returns an object with only the members `allowed`. Reading any other member throws. */
function unreadable(name: string, what: string, allowed: Record<string, unknown> = {}): object {
  const refuse = (): never => {
    throw new Error(
      `${name} reads ${what}. A migration may only send fixed SQL with runner.query(); let PostgreSQL decide, in a DO block or a WHERE clause.`,
    );
  };
  return new Proxy(allowed, {
    get: (target, key) => {
      // `await` reads `then` of every value.
      if (key === 'then') return undefined;
      return typeof key === 'string' && Object.hasOwn(target, key) ? target[key] : refuse();
    },
    has: refuse,
    ownKeys: refuse,
    getPrototypeOf: refuse,
  });
}
