import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { releases } from '../test/upgrade/releases.js';

/** Checksum of each migration by name. */
type Checksums = Record<string, string>;

const FILE = 'src/migrations/checksums.json';
const ADD_COMMAND = 'npm run migrations:checksum';

/** Returns the problems with the committed checksums, as sentences that name the migration and say what to do. */
export async function checksumProblems(
  migrations: readonly MigrationInterface[],
): Promise<string[]> {
  const committed = readCommitted();
  const actual = await actualChecksums(migrations);
  const missing = Object.keys(actual)
    .filter((name) => !(name in committed))
    .map((name) => `${name} has no checksum in ${FILE}. Add it: ${ADD_COMMAND}`);
  return [...missing, ...editProblems(committed, actual)];
}

/** Adds the checksums of new migrations and returns their names. Changes nothing if a released migration differs. */
export async function addChecksums(
  migrations: readonly MigrationInterface[],
): Promise<{ added: string[]; problems: string[] }> {
  const committed = readCommitted();
  const actual = await actualChecksums(migrations);
  const problems = editProblems(committed, actual);
  if (problems.length > 0) return { added: [], problems };
  const added = Object.keys(actual).filter((name) => !(name in committed));
  if (added.length > 0) writeFileSync(FILE, `${JSON.stringify(actual, null, 2)}\n`);
  return { added, problems };
}

function editProblems(committed: Checksums, actual: Checksums): string[] {
  const changed = (landed: Checksums, where: string) =>
    Object.entries(landed).flatMap(([name, checksum]) => {
      if (actual[name] === undefined) {
        return [
          `${name} is in ${where}, but SCHEMA.migrations in src/tables.ts lacks it. Put it back: databases have run it.`,
        ];
      }
      if (actual[name] === checksum) return [];
      return [
        `The SQL of ${name} differs from the committed SQL (${where}). Undo the edit and write a new migration (docs/contribute/change-the-schema.md).`,
      ];
    });
  const released = releases().flatMap(({ version, folder, checksums }) => [
    ...changed(checksums, `release ${version}: ${folder}/release.json`),
    ...outOfOrder(Object.keys(checksums), Object.keys(actual), version),
  ]);
  return [...changed(committed, FILE), ...released];
}

/** Upgraded databases would run such a migration after the released ones, but new databases before them. */
function outOfOrder(released: string[], all: string[], version: string): string[] {
  const last = Math.max(...released.map(timestampOf));
  return all
    .filter((name) => !released.includes(name) && timestampOf(name) < last)
    .map(
      (name) => `${name} is older than a migration of release ${version}. Give it a later time.`,
    );
}

async function actualChecksums(migrations: readonly MigrationInterface[]): Promise<Checksums> {
  const checksums: Checksums = {};
  for (const migration of migrations) {
    checksums[migrationName(migration)] = await checksumOf(migration);
  }
  return checksums;
}

function readCommitted(): Checksums {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Checksums;
}

const migrationName = (migration: MigrationInterface): string =>
  migration.name ?? migration.constructor.name;

/** Returns the epoch milliseconds at the end of a migration's name (a TypeORM convention). */
const timestampOf = (name: string): number => Number(name.slice(-13));

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
