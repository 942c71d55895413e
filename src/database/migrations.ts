import type { DataSource } from 'typeorm';

/** Any number, the same in every replica. */
const MIGRATION_LOCK = 4_711_001;

/**
 * Runs what is pending and returns the names, under an advisory lock: replicas that start at once wait for the first
 * and then find nothing to do. All pending migrations commit together or not at all.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  return withMigrationLock(dataSource, async () => {
    const done = await dataSource.runMigrations({ transaction: 'all' });
    return done.map(({ name }) => name);
  });
}

/** Takes the newest migration back and returns its name, or `undefined` when none is left. */
export async function revertLastMigration(dataSource: DataSource): Promise<string | undefined> {
  return withMigrationLock(dataSource, async () => {
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
  work: () => Promise<Result>,
): Promise<Result> {
  const session = dataSource.createQueryRunner();
  await session.connect();
  try {
    await session.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      return await work();
    } finally {
      await session.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await session.release();
  }
}
