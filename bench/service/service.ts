import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { inheritedEnvironment, NodeProcess } from '../node-process.js';
import type { Variant } from '../options.js';
import type { PostgresServer } from '../postgres.js';

const run = promisify(execFile);

const POLL_MS = 100;

/** A migrated database and the means to start processes on it. */
export interface Service {
  databaseUrl: string;
  /** `name` is part of the name of the log file. */
  start(role: 'api' | 'worker' | 'all', name?: string): Promise<NodeProcess>;
  /** Resolves when a worker has indexed all changes of documents. */
  untilIndexed(): Promise<void>;
  /** Deletes the database. Its processes must have ended. */
  drop(): Promise<void>;
}

/** Creates a database of this name and migrates it with the variant's command line. */
export async function openService(
  postgres: PostgresServer,
  { dist, env: own }: Variant,
  database: string,
  logFolder: string,
): Promise<Service> {
  const databaseUrl = await postgres.createDatabase(database);
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WARM_UP: 'false',
    ...own,
  };
  await runCli(dist, ['migrate'], env);
  return {
    databaseUrl,
    start: (role, name = role) =>
      NodeProcess.start({
        args: [path.join(dist, 'main.js')],
        folder: path.dirname(dist),
        env: { ...env, PROCESS_ROLE: role },
        logFile: path.join(logFolder, `${database}-${name}.log`),
      }),
    untilIndexed: () => untilIndexed(databaseUrl),
    drop: () => postgres.dropDatabase(database),
  };
}

async function untilIndexed(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (;;) {
    const { rowCount } = await client.query('SELECT FROM search_changes LIMIT 1');
    if (rowCount === 0) break;
    await pause(POLL_MS);
  }
  await client.end();
}

/** Runs a command of a build. Throws an Error with its output if it fails. */
export async function runCli(
  dist: string,
  args: string[],
  env: Record<string, string>,
): Promise<void> {
  try {
    await run(process.execPath, [path.join(dist, 'cli.js'), ...args], {
      cwd: path.dirname(dist),
      env: { ...inheritedEnvironment(), ...env },
    });
  } catch (cause) {
    const { stderr = '', stdout = '' } = cause as { stderr?: string; stdout?: string };
    throw new Error(`\`cli ${args.join(' ')}\` of ${dist} failed:\n${stderr || stdout}`, { cause });
  }
}
