import type { DataSource, QueryRunner } from 'typeorm';
import { OperatorError } from '../errors/operator-error.js';

/** Any number, the same in every replica. */
const MIGRATION_LOCK = 4_711_001;
/** SQLSTATE of a lock that was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** How to wait while another process migrates. */
export interface MigrationWait {
  limitMs?: number;
  /** Called once, when the waiting begins. */
  onWait?: () => void;
}

/**
 * Runs what is pending and returns the names, under an advisory lock: replicas that start at once wait for the first
 * and then find nothing to do. All pending migrations commit together or not at all. Throws `OperatorError` when the
 * first takes longer than the limit, a minute.
 */
export async function migrate(dataSource: DataSource, wait: MigrationWait = {}): Promise<string[]> {
  return withMigrationLock(dataSource, wait, async () => {
    const done = await dataSource.runMigrations({ transaction: 'all' });
    return done.map(({ name }) => name);
  });
}

/** Takes the newest migration back and returns its name, or `undefined` when none is left. */
export async function revertLastMigration(dataSource: DataSource): Promise<string | undefined> {
  return withMigrationLock(dataSource, {}, async () => {
    const [newest] = (await migrationStatus(dataSource)).filter(({ applied }) => applied).reverse();
    if (newest) await dataSource.undoLastMigration({ transaction: 'all' });
    return newest?.name;
  });
}

export interface MigrationState {
  name: string;
  applied: boolean;
}

/** Every migration this build knows, oldest first, and whether the database has it. Writes nothing. */
export async function migrationStatus(dataSource: DataSource): Promise<MigrationState[]> {
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  );
  const applied = table?.found
    ? await dataSource.query<{ name: string }[]>('SELECT name FROM migrations')
    : [];
  const names = new Set(applied.map(({ name }) => name));
  return dataSource.migrations.map(({ name, constructor }) => {
    const known = name ?? constructor.name;
    return { name: known, applied: names.has(known) };
  });
}

async function withMigrationLock<Result>(
  dataSource: DataSource,
  wait: MigrationWait,
  work: () => Promise<Result>,
): Promise<Result> {
  const session = dataSource.createQueryRunner();
  await session.connect();
  try {
    await takeLock(session, wait);
    try {
      return await work();
    } finally {
      await session.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await session.release();
  }
}

async function takeLock(
  session: QueryRunner,
  { limitMs = 60_000, onWait }: MigrationWait,
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
