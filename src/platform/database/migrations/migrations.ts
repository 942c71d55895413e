import { setTimeout as wait } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { isLockTimeout } from '../../basics/errors/database-error.js';
import { OperatorError } from '../../basics/errors/app-error.js';
import { reasonOf } from '../../basics/errors/reason.js';
import { checksumOf, migrationName, timestampOf } from './migration-checksum.js';
import { schemaFingerprint } from './schema-fingerprint.js';

/** Key of the advisory lock; every replica uses the same. */
const MIGRATION_LOCK = 4_711_001;
const LOCK_LIMIT_MS = 60_000;
/** SQLSTATEs for a column, object, function or table that already exists. */
const DUPLICATES: readonly unknown[] = ['42701', '42710', '42723', '42P07'];
/**
 * Maximum time a migration waits for a table lock, in ms. Shorter than the lock timeout of the requests that queue
 * behind it.
 */
const TABLE_LOCK_MS = 2_000;
const TABLE_LOCK_PAUSE_MS = 1_000;
const TABLE_LOCK_ATTEMPTS = 20;

/** The schema of release 1.0.0. Builds before it created 37 different schemas under the same name. */
export const FIRST_SCHEMA = 'FirstSchema1770000000000';
/**
 * {@link schemaFingerprint} of a database in which only {@link FIRST_SCHEMA} ran. `npm run check:migrations` verifies
 * it.
 */
export const FIRST_SCHEMA_FINGERPRINT =
  '33a256d2888c43261e24e9a6bacec7965833cc4c0b1c7710fc824fdcb53a0740';

export interface MigrationOptions {
  /** Maximum time to wait while another process migrates, in ms. */
  limitMs?: number;
  /** Called once, when the wait begins. */
  onWait?: () => void;
  /** Ends the migration before the next one of several. */
  signal?: AbortSignal | undefined;
  /** The data folder of an embedded database, for {@link requireOwnSchema}. */
  dataDir?: string | undefined;
}

/**
 * Runs pending migrations and returns their names. An advisory lock makes replicas that start together wait for the
 * first one. Each migration commits with its checksum, which also releases its locks. Throws `OperatorError` if another
 * process migrates for longer than the limit (one minute), and for a {@link schemaProblem}.
 */
export async function migrate(
  dataSource: DataSource,
  { limitMs = LOCK_LIMIT_MS, onWait, signal, dataDir }: MigrationOptions = {},
): Promise<string[]> {
  return withLock(dataSource, limitMs, onWait, async (session) => {
    await requireOwnSchema(dataSource, dataDir);
    return runPending(dataSource, session, { dataDir, signal });
  });
}

/** Waits until no process migrates. Throws like {@link migrate}. */
export function waitForMigrations(dataSource: DataSource): Promise<void> {
  return withLock(dataSource, LOCK_LIMIT_MS, undefined, () => Promise.resolve());
}

async function withLock<Result>(
  dataSource: DataSource,
  limitMs: number,
  onWait: (() => void) | undefined,
  work: (session: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const session = dataSource.createQueryRunner();
  await session.connect();
  try {
    await takeLock(session, limitMs, onWait);
    try {
      return await work(session);
    } finally {
      await session.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await session.release();
  }
}

async function runPending(
  dataSource: DataSource,
  session: QueryRunner,
  { dataDir, signal }: MigrationOptions,
): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, session);
  const pending = await executor.getPendingMigrations();
  if (pending.length === 0 && (await canAdopt(session))) {
    await inTransaction(session, () => recordChecksums(dataSource, session));
  }
  for (const migration of pending) {
    signal?.throwIfAborted();
    await inTransaction(session, async () => {
      await executor.executeMigration(migration);
      await recordChecksums(dataSource, session);
    }).catch((error: unknown) => {
      throw explained(error, migration.name, dataDir);
    });
  }
  return pending.map(({ name }) => name);
}

/**
 * Runs `work` in a transaction. If a statement waits too long for a table lock, rolls back and retries: all requests
 * for that table queue behind the migration and time out after three seconds.
 */
async function inTransaction(session: QueryRunner, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await session.startTransaction();
    try {
      await session.query(`SET LOCAL lock_timeout = ${String(TABLE_LOCK_MS)}`);
      await work();
      await session.commitTransaction();
      return;
    } catch (error) {
      // The connection itself may have failed.
      await session.rollbackTransaction().catch(() => undefined);
      if (!isLockTimeout(error) || attempt === TABLE_LOCK_ATTEMPTS) throw error;
    }
    await wait(TABLE_LOCK_PAUSE_MS);
  }
}

/** Explains a row missing at the end of the table `migrations`. It is noticed only because the migration's objects exist. */
function explained(error: unknown, name: string, dataDir: string | undefined): unknown {
  if (!DUPLICATES.includes((error as { code?: unknown }).code)) return error;
  return new OperatorError(
    `${databaseIn(dataDir)} already contains objects of the migration ${name} (${reasonOf(error)}), but its table migrations does not list it: ${RESTORE_LIST}, or use an empty database. Nothing was changed.`,
    { cause: error },
  );
}

/** True if the database is from before 1.0.0, has no checksums yet, and this role can add them. */
async function canAdopt(session: QueryRunner): Promise<boolean> {
  const [table] = (await session.query(
    `SELECT EXISTS (SELECT FROM migrations WHERE to_jsonb(migrations)->>'checksum' IS NULL)
            AND pg_has_role(relowner, 'USAGE') AS yes
       FROM pg_class WHERE oid = 'migrations'::regclass`,
  )) as { yes: boolean }[];
  return table?.yes ?? false;
}

/**
 * Stores missing checksums. The caller has verified the stored ones, so only migrations that have just run or were
 * adopted lack one.
 */
async function recordChecksums(dataSource: DataSource, session: QueryRunner): Promise<void> {
  // This must come last in the transaction, because it blocks the readiness checks of other replicas until the commit.
  await session.query('ALTER TABLE migrations ADD COLUMN IF NOT EXISTS checksum text');
  for (const migration of dataSource.migrations) {
    await session.query(
      'UPDATE migrations SET checksum = $2 WHERE name = $1 AND checksum IS NULL',
      [migrationName(migration), await checksumOf(migration)],
    );
  }
}

/** The state of a migration in the database, compared with this build. */
export interface MigrationStatus {
  name: string;
  /**
   * - `applied`: ran with the SQL of this build.
   * - `pending`: has not run yet.
   * - `changed`: ran with other SQL.
   * - `unrecorded`: ran without storing a checksum, by another tool than {@link migrate}.
   * - `missing`: is not listed, although later ones are, or although the tables of the service exist.
   * - `older`: ran in a build before release 1.0.0.
   * - `newer`: unknown to this build; a newer one ran it.
   */
  state: 'applied' | 'pending' | 'changed' | 'unrecorded' | 'missing' | 'older' | 'newer';
  /** {@link checksumOf} the migration; undefined if this build does not have it. */
  checksum?: string;
}

interface AppliedMigration {
  name: string;
  checksum: string | null;
}

/** Returns the migrations that ran, oldest first. Reads `checksum` as JSON because pre-release databases lack the column. */
async function appliedMigrations(dataSource: DataSource): Promise<AppliedMigration[]> {
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  );
  if (!table?.found) return [];
  return dataSource.query<AppliedMigration[]>(
    `SELECT name, to_jsonb(migrations)->>'checksum' AS checksum FROM migrations ORDER BY timestamp`,
  );
}

async function hasServiceTables(dataSource: DataSource): Promise<boolean> {
  const [row] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('document_versions') IS NOT NULL AS found`,
  );
  return row?.found ?? false;
}

/** Returns the names of this build's migrations that have not run in the database. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = new Set((await appliedMigrations(dataSource)).map(({ name }) => name));
  return dataSource.migrations.map(migrationName).filter((name) => !applied.has(name));
}

/** Compares this build's migrations with those in the database, oldest first. Writes nothing. */
export async function migrationStatus(dataSource: DataSource): Promise<MigrationStatus[]> {
  let applied = await appliedMigrations(dataSource);
  let isFirstSchema = true;
  if (applied.some(({ name, checksum }) => name === FIRST_SCHEMA && checksum === null)) {
    isFirstSchema = (await schemaFingerprint(dataSource)) === FIRST_SCHEMA_FINGERPRINT;
    // Another replica may have migrated while the catalog was read. Its checksums then replace the fingerprint.
    applied = await appliedMigrations(dataSource);
  }
  const hasTables = applied.length === 0 && (await hasServiceTables(dataSource));
  const newest = Math.max(
    ...dataSource.migrations
      .map(migrationName)
      .filter((name) => applied.some((one) => one.name === name))
      .map(timestampOf),
  );
  const stateOf = (name: string, checksum: string): MigrationStatus['state'] => {
    // An operator may have duplicated a row.
    const stored = applied.filter((one) => one.name === name).map((one) => one.checksum);
    if (stored.length === 0) {
      return hasTables || timestampOf(name) < newest ? 'missing' : 'pending';
    }
    if (stored.some((one) => one !== null && one !== checksum)) return 'changed';
    if (!stored.includes(null)) return 'applied';
    // Every release stores checksums; builds before 1.0.0 did not.
    if (name !== FIRST_SCHEMA || applied.some((one) => one.checksum !== null)) return 'unrecorded';
    return isFirstSchema ? 'applied' : 'older';
  };
  const own: MigrationStatus[] = [];
  for (const migration of dataSource.migrations) {
    const name = migrationName(migration);
    const checksum = await checksumOf(migration);
    own.push({ name, state: stateOf(name, checksum), checksum });
  }
  const known = new Set(own.map(({ name }) => name));
  const unknown = applied.map(({ name }) => name).filter((name) => !known.has(name));
  const isOlder = (name: string) => timestampOf(name) < timestampOf(FIRST_SCHEMA);
  return [
    ...unknown.filter(isOlder).map((name) => ({ name, state: 'older' as const })),
    ...own,
    ...unknown.filter((name) => !isOlder(name)).map((name) => ({ name, state: 'newer' as const })),
  ];
}

/** Advice for an edited table `migrations`. */
const RESTORE_LIST =
  'restore that table, or the whole database into an empty one, from a backup, as docs/operate/upgrade.md describes';

const databaseIn = (dataDir: string | undefined) =>
  dataDir === undefined ? 'The database of DATABASE_URL' : `The database in ${dataDir}`;

/**
 * Returns a sentence for the operator if this build must not run on the database, because its schema does not match the
 * migrations of this build. `dataDir` is the folder of an embedded database.
 */
export function schemaProblem(
  states: readonly MigrationStatus[],
  dataDir?: string,
): string | undefined {
  const database = databaseIn(dataDir);
  const find = (wanted: MigrationStatus['state']) =>
    states.find(({ state }) => state === wanted)?.name;
  const [older, newer, changed] = [find('older'), find('newer'), find('changed')];
  const [missing, unrecorded] = [find('missing'), find('unrecorded')];
  if (older !== undefined) {
    const empty = dataDir === undefined ? 'an empty database' : 'an empty data folder (DATA_DIR)';
    return `${database} was created by a build from before release 1.0.0 (migration ${older}), which cannot be upgraded: export its accounts with that build and import them into ${empty}, as docs/operate/upgrade.md describes.`;
  }
  if (newer !== undefined) {
    return `${database} was migrated by a newer release, whose migration ${newer} is unknown to this build: start that release, or downgrade as docs/operate/upgrade.md describes.`;
  }
  if (changed !== undefined) {
    return `${database} ran the migration ${changed} with SQL that differs from this build: start the build that migrated it, or restore a backup from before that migration into an empty database, as docs/operate/upgrade.md describes.`;
  }
  if (missing !== undefined) {
    return `${database} does not list the migration ${missing} in its table migrations, although it has later changes: ${RESTORE_LIST}.`;
  }
  if (unrecorded !== undefined) {
    const since = states.slice(states.findIndex(({ name }) => name === unrecorded));
    return unrecorded !== FIRST_SCHEMA && !since.some(({ state }) => state === 'applied')
      ? `${database} has no checksum for the migration ${unrecorded}, which another tool ran: revert it with npm run -s typeorm -- migration:revert -d ormconfig.ts, then run npm run -s cli -- migrate.`
      : `${database} has lost the checksum of the migration ${unrecorded}, although later ones ran: ${RESTORE_LIST}.`;
  }
  return undefined;
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

/** Returns the checksum of each migration by name, oldest first. */
export const checksumsOf = (states: readonly MigrationStatus[]): Record<string, string> =>
  Object.fromEntries(states.map(({ name, checksum = '' }) => [name, checksum]));

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
