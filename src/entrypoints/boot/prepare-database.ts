import type { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Config } from '../../platform/config/config.js';
import { requirePooledRole, requireReplica } from '../../platform/database/pooler.js';
import {
  connectWithRetry,
  dataSourceOptions,
  requestOptions,
} from '../../platform/database/pools.js';
import { SCHEMA } from '../../tables.js';
import { migrate, requireOwnSchema } from '../../platform/database/migrations.js';
import { troubleOf } from '../../platform/basics/errors/database-error.js';
import { OperatorError } from '../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../platform/basics/errors/reason.js';
import type { Log } from '../../platform/operation/log.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { requireSecretsKey } from '../../platform/secrets/secrets-key-check.js';

const OLDEST_VERSION = 15;
const NO_TABLES = { entities: [], migrations: [] };

/**
 * Connects to the database, waiting for the configured time or until `signal`. Checks its version, the pooler and the
 * schema, runs pending migrations, and checks SECRETS_KEY. Throws an `OperatorError`, or the reason of `signal`.
 */
export async function prepareDatabase(
  config: Config,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  const variable = config.isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  const options = dataSourceOptions(config.directUrl, 2, SCHEMA);
  const dataSource = await connect(options, variable, config, log, signal);
  try {
    await requireVersion(dataSource);
    if (config.isPooled) await checkPooler(config, dataSource, log, signal);
    if (config.readUrl !== undefined) await checkReplica(config.readUrl, dataSource, log);
    if (config.migrateOnStart) {
      await migrate(dataSource, {
        dataDir: config.dataDir,
        onWait: () => {
          log.info({}, 'waiting for another process to migrate');
        },
      });
    } else {
      await requireOwnSchema(dataSource, config.dataDir);
    }
    signal?.throwIfAborted();
    await requireSecretsKey(
      dataSource,
      new SecretBox(config.secretsKey, config.previousSecretsKeys),
    );
  } finally {
    await dataSource.destroy();
  }
}

/** Only warns, because the primary serves all reads while the replica cannot. */
async function checkReplica(url: string, direct: DataSource, log: Log): Promise<void> {
  try {
    const options = dataSourceOptions(url, 1, NO_TABLES);
    const replica = await connect(options, 'DATABASE_READ_URL', { startTimeoutMs: 0 }, log);
    const check = requireReplica(replica, direct);
    await check.finally(() => replica.destroy());
  } catch (error) {
    const message = 'The replica cannot be used. The primary answers lists and searches.';
    log.warn({ reason: reasonOf(error) }, message);
  }
}

async function checkPooler(
  config: Config,
  direct: DataSource,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  const options = requestOptions(config, 2, NO_TABLES);
  const pooled = await connect(options, 'DATABASE_URL', config, log, signal);
  await requirePooledRole(pooled, direct).finally(() => pooled.destroy());
}

async function connect(
  options: PostgresDataSourceOptions,
  variable: string,
  { startTimeoutMs }: Pick<Config, 'startTimeoutMs'>,
  log: Log,
  signal?: AbortSignal,
): Promise<DataSource> {
  const server = withoutPassword(options.url ?? '');
  const seconds = String(startTimeoutMs / 1_000);
  const onWait = (reason: string) => {
    log.warn({ server, reason }, `Waiting for PostgreSQL, up to ${seconds} seconds.`);
  };
  try {
    return await connectWithRetry(options, { limitMs: startTimeoutMs, onWait, signal });
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = reasonOf(error);
    if (signal?.aborted) {
      throw new OperatorError(
        `Startup was interrupted while waiting for PostgreSQL at ${server}: ${reason}.`,
      );
    }
    throw new OperatorError(
      troubleOf(error)
        ? `Cannot reach PostgreSQL at ${server} within ${seconds} seconds: ${reason}. Start the server or correct ${variable}.`
        : `PostgreSQL at ${server} refused: ${reason}. Correct ${variable}.`,
    );
  }
}

async function requireVersion(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ version: string }[]>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  const major = Math.floor(Number(row?.version) / 10_000);
  if (major < OLDEST_VERSION) {
    throw new OperatorError(
      `This is PostgreSQL ${String(major)}; the service requires ${String(OLDEST_VERSION)} or later. Upgrade it or correct DATABASE_URL.`,
    );
  }
}

function withoutPassword(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const at = searchParams.get('port') ?? (port || '5432');
  return `${host}:${at}${pathname}`;
}
