import { setTimeout as wait } from 'node:timers/promises';
import {
  MigrationExecutor,
  type DataSource,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { isLockTimeout } from '../basics/errors/database-error.js';
import { OperatorError } from '../basics/errors/app-error.js';

/** Key of the advisory lock; every replica uses the same. */
const MIGRATION_LOCK = 4_711_001;
const LOCK_LIMIT_MS = 60_000;
/**
 * Maximum time a migration waits for a table lock, in ms. Shorter than the lock timeout of the requests that queue
 * behind it.
 */
const TABLE_LOCK_MS = 2_000;
const TABLE_LOCK_PAUSE_MS = 1_000;
const TABLE_LOCK_ATTEMPTS = 20;

/** The first and the last migration of release 1.0.0. */
const FIRST_SCHEMA = 'FirstSchema1770000000000';
const RELEASE_1_0_0 = 'WebhookClaims1795550000001';

export interface MigrationOptions {
  /** Maximum time to wait while another process migrates, in ms. */
  limitMs?: number;
  /** Called once, when the wait begins. */
  onWait?: () => void;
  /** The data folder of an embedded database, for {@link requireOwnSchema}. */
  dataDir?: string | undefined;
}

/**
 * Runs pending migrations and returns their names. An advisory lock makes replicas that start together wait for the
 * first one. An empty database gets all migrations in one transaction, another one each in its own. Throws
 * `OperatorError` if another process migrates for longer than the limit (one minute), and for a {@link schemaProblem}.
 * Rejects with the error of a migration that fails, which leaves nothing behind.
 */
export async function migrate(
  dataSource: DataSource,
  { limitMs = LOCK_LIMIT_MS, onWait, dataDir }: MigrationOptions = {},
): Promise<string[]> {
  const session = dataSource.createQueryRunner();
  await session.connect();
  try {
    await takeLock(session, limitMs, onWait);
    try {
      await requireOwnSchema(dataSource, dataDir);
      return await runPending(dataSource, session);
    } finally {
      await session.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await session.release();
  }
}

/**
 * Runs pending migrations. If one waits too long for a table lock, rolls it back and retries: all requests for that table
 * queue behind it and time out after three seconds.
 */
async function runPending(dataSource: DataSource, session: QueryRunner): Promise<string[]> {
  const pending = await pendingMigrations(dataSource);
  const executor = new MigrationExecutor(dataSource, session);
  // An installation that is interrupted thus leaves nothing, and is not mistaken for a database from before 1.0.0.
  executor.transaction = pending.length === dataSource.migrations.length ? 'all' : 'each';
  await session.query(`SET lock_timeout = ${String(TABLE_LOCK_MS)}`);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await executor.executePendingMigrations();
        return pending;
      } catch (error) {
        if (!isLockTimeout(error) || attempt === TABLE_LOCK_ATTEMPTS) throw error;
      }
      await wait(TABLE_LOCK_PAUSE_MS);
    }
  } finally {
    await session.query('RESET lock_timeout').catch(() => undefined);
  }
}

/** The state of a migration in the database, compared with this build. */
export interface MigrationStatus {
  name: string;
  /**
   * - `applied`: ran.
   * - `pending`: has not run yet.
   * - `older`: ran in a build before release 1.0.0.
   * - `newer`: unknown to this build; a newer one ran it.
   */
  state: 'applied' | 'pending' | 'older' | 'newer';
}

/** Returns the names of the migrations that ran, oldest first. */
async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  );
  if (!table?.found) return [];
  const rows = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM migrations ORDER BY timestamp',
  );
  return rows.map(({ name }) => name);
}

/** Returns the names of this build's migrations that have not run in the database. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = await appliedMigrations(dataSource);
  return dataSource.migrations.map(migrationName).filter((name) => !applied.includes(name));
}

/** Compares this build's migrations with those in the database, oldest first. Writes nothing. */
export async function migrationStatus(dataSource: DataSource): Promise<MigrationStatus[]> {
  const applied = await appliedMigrations(dataSource);
  const isBefore100 = applied.length > 0 && !applied.includes(RELEASE_1_0_0);
  const own = dataSource.migrations.map(migrationName);
  const unknown = applied.filter((name) => !own.includes(name));
  const stateOf = (name: string): MigrationStatus['state'] => {
    if (!applied.includes(name)) return 'pending';
    return isBefore100 ? 'older' : 'applied';
  };
  const isOlder = (name: string) => timestampOf(name) < timestampOf(FIRST_SCHEMA);
  return [
    ...unknown.filter(isOlder).map((name) => ({ name, state: 'older' as const })),
    ...own.map((name) => ({ name, state: stateOf(name) })),
    ...unknown.filter((name) => !isOlder(name)).map((name) => ({ name, state: 'newer' as const })),
  ];
}

const migrationName = ({ name, constructor }: MigrationInterface): string =>
  name ?? constructor.name;

/** Returns the epoch milliseconds at the end of a migration's name (a TypeORM convention). */
const timestampOf = (name: string): number => Number(name.slice(-13));

/**
 * Returns a sentence for the operator if this build must not run on the database, because its schema does not match the
 * migrations of this build. `dataDir` is the folder of an embedded database.
 */
export function schemaProblem(
  states: readonly MigrationStatus[],
  dataDir?: string,
): string | undefined {
  const database =
    dataDir === undefined ? 'The database of DATABASE_URL' : `The database in ${dataDir}`;
  const older = states.find(({ state }) => state === 'older');
  if (older) {
    const empty = dataDir === undefined ? 'an empty database' : 'an empty data folder (DATA_DIR)';
    return `${database} was created by a build from before release 1.0.0 (migration ${older.name}), which cannot be upgraded: export its accounts with that build and import them into ${empty}, as docs/operate/upgrade.md describes.`;
  }
  const newer = states.find(({ state }) => state === 'newer');
  return (
    newer &&
    `${database} was migrated by a newer release, whose migration ${newer.name} is unknown to this build: start that release, or downgrade as docs/operate/upgrade.md describes.`
  );
}

/** Returns the status of all migrations. Throws `OperatorError` for a {@link schemaProblem}. */
export async function requireOwnSchema(
  dataSource: DataSource,
  dataDir?: string,
): Promise<MigrationStatus[]> {
  const states = await migrationStatus(dataSource);
  const problem = schemaProblem(states, dataDir);
  if (problem !== undefined) throw new OperatorError(problem);
  return states;
}

async function takeLock(
  session: QueryRunner,
  limitMs: number,
  onWait: (() => void) | undefined,
): Promise<void> {
  const [free] = (await session.query('SELECT pg_try_advisory_lock($1) AS taken', [
    MIGRATION_LOCK,
  ])) as { taken: boolean }[];
  if (free?.taken) return;
  onWait?.();
  await session.query(`SET lock_timeout = ${String(limitMs)}`);
  try {
    await session.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new OperatorError(
      `Another process has been migrating this database for over ${String(limitMs / 1000)} seconds. Start again when it is done, or terminate its connection if it hangs.`,
      { cause: error },
    );
  } finally {
    await session.query('RESET lock_timeout');
  }
}
