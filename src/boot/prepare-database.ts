import { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { migrate } from '../database/migrations.js';
import { OperatorError } from '../errors/operator-error.js';
import { reasonOf } from '../errors/reason.js';
import type { Log } from '../log/log.js';
import { requireSecretsKey } from './require-secrets-key.js';

const OLDEST_VERSION = 15;

/** Reaches the database, checks its version, runs pending migrations, and checks SECRETS_KEY. Throws an `OperatorError`. */
export async function prepareDatabase(config: Config, log: Log): Promise<void> {
  const dataSource = new DataSource(dataSourceOptions(config.databaseUrl, 2));
  try {
    await dataSource.initialize();
  } catch (error) {
    throw new OperatorError(
      `Cannot reach PostgreSQL at ${withoutPassword(config.databaseUrl)}: ${reasonOf(error)}. Start the server or correct DATABASE_URL.`,
    );
  }
  try {
    await requireVersion(dataSource);
    if (config.migrateOnStart) {
      await migrate(dataSource, {
        onWait: () => {
          log.info({}, 'waiting for the migration of another process');
        },
      });
    }
    await requireSecretsKey(dataSource, config.secretsKey);
  } finally {
    await dataSource.destroy();
  }
}

async function requireVersion(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ version: string }[]>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  const major = Math.floor(Number(row?.version) / 10_000);
  if (major < OLDEST_VERSION) {
    throw new OperatorError(
      `This is PostgreSQL ${String(major)}; the service needs ${String(OLDEST_VERSION)} or later. Upgrade it or correct DATABASE_URL.`,
    );
  }
}

function withoutPassword(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const at = searchParams.get('port') ?? (port || '5432');
  return `${host}:${at}${pathname}`;
}
