import { readFileSync, writeFileSync } from 'node:fs';
import type { MigrationInterface } from 'typeorm';
import {
  checksumOf,
  migrationName,
  timestampOf,
} from '../src/platform/database/migrations/migration-checksum.js';
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
