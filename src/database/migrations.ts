import type { DataSource, QueryRunner } from 'typeorm';
import { OperatorError } from '../errors/operator-error.js';

/** Any number, the same in every replica. */
const MIGRATION_LOCK = 4_711_001;
/** SQLSTATE of a lock that was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

export interface MigrationOptions {
  /** How long to wait while another process migrates, in ms. */
  limitMs?: number;
  /** Called once, when the waiting begins. */
  onWait?: () => void;
  /** The data folder of an embedded database, for {@link requireOwnSchema}. */
  dataDir?: string | undefined;
}

/**
 * Runs what is pending and returns the names, under an advisory lock: replicas that start at once wait for the first
 * and then find nothing to do. All pending migrations commit together or not at all. Throws `OperatorError` when the
 * first takes longer than the limit, a minute, and for a {@link foreignSchema}.
 */
export async function migrate(
  dataSource: DataSource,
  { limitMs = 60_000, onWait, dataDir }: MigrationOptions = {},
): Promise<string[]> {
  await requireOwnSchema(dataSource, dataDir);
  const session = dataSource.createQueryRunner();
  await session.connect();
  try {
    await takeLock(session, limitMs, onWait);
    try {
      const done = await dataSource.runMigrations({ transaction: 'all' });
      return done.map(({ name }) => name);
    } finally {
      await session.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await session.release();
  }
}

/**
 * What the database and this build say about a migration. `older` and `newer` are unknown to
 * this build: another one ran them, and the time in their name is before or after that of the newest of this build.
 */
export interface MigrationStatus {
  name: string;
  state: 'applied' | 'pending' | 'older' | 'newer';
}

/** The migrations of this build and of the database, oldest first. Writes nothing. */
export async function migrationStatus(dataSource: DataSource): Promise<MigrationStatus[]> {
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  );
  const applied = table?.found
    ? await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY timestamp')
    : [];
  const run = new Set(applied.map(({ name }) => name));
  const own = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  const newest = timestampOf(own.at(-1) ?? '');
  const unknown = applied.filter(({ name }) => !own.includes(name)).map(({ name }) => name);
  const isNewer = (name: string) => timestampOf(name) > newest;
  return [
    ...unknown.filter((name) => !isNewer(name)).map((name) => ({ name, state: 'older' as const })),
    ...own.map((name) => ({
      name,
      state: run.has(name) ? ('applied' as const) : ('pending' as const),
    })),
    ...unknown.filter(isNewer).map((name) => ({ name, state: 'newer' as const })),
  ];
}

/**
 * A sentence for the operator when the database belongs to a build whose tables this one cannot take over: an older one,
 * or a newer one that lacks migrations of this. A newer one that has them all is served, because during a deployment the
 * old release runs on the tables of the new one. `dataDir` is the folder of an embedded database.
 */
export function foreignSchema(
  states: readonly MigrationStatus[],
  dataDir?: string,
): string | undefined {
  const isPending = states.some(({ state }) => state === 'pending');
  const foreign = states.find(({ state }) => state === 'older' || (state === 'newer' && isPending));
  if (!foreign) return undefined;
  const [place, way] =
    dataDir === undefined
      ? ['of DATABASE_URL', 'Set DATABASE_URL to an empty database']
      : [`in the data folder ${dataDir}`, 'Move the folder away, or set DATA_DIR to another one,'];
  return `The database ${place} was made by ${foreign.state === 'older' ? 'an older' : 'a newer'} build: this one does not know its migration ${foreign.name} and cannot take its tables over. ${way} to begin anew; the build that made it can still open it.`;
}

/** Throws `OperatorError` for a {@link foreignSchema}. */
export async function requireOwnSchema(dataSource: DataSource, dataDir?: string): Promise<void> {
  const problem = foreignSchema(await migrationStatus(dataSource), dataDir);
  if (problem !== undefined) throw new OperatorError(problem);
}

/** TypeORM's convention: a migration's name ends with its time in epoch milliseconds. */
function timestampOf(name: string): number {
  return Number(name.slice(-13));
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
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new OperatorError(
      `Another process has been migrating this database for over ${String(limitMs / 1000)} seconds. Start again when it is done, or end its connection if it hangs.`,
      { cause: error },
    );
  } finally {
    await session.query('RESET lock_timeout');
  }
}
