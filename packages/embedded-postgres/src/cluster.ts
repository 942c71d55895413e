import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceSecretFile } from './secret-file.js';
import { EmbeddedPostgresError, startFailure } from './embedded-postgres-error.js';
import type { PostgresPrograms } from './programs.js';
import { runProgram } from './run-program.js';
import type { SystemUser } from './server-user.js';

/** A data folder of PostgreSQL with all it takes to run a server on it. */
export interface Cluster {
  /** Absolute path of the folder that holds PG_VERSION. */
  folder: string;
  programs: PostgresPrograms;
  /** Who runs the server; absent when it is the user of this process. */
  user: SystemUser | undefined;
}

const PASSWORD_FILE = 'postgres-password';

/** The role and the database of the service. The role is no superuser, and nobody else has a password. */
export const SERVICE_NAME = 'document_service';

/**
 * Spawn options for PostgreSQL's programs. Node changes into the folder before it changes the user, and on Linux the
 * folder is then named by that working directory: a server that runs as `postgres` never walks through the folders
 * above, which perhaps only root may enter. The environment is bare so that nobody's PG* variables interfere, and in
 * English because messages are matched.
 */
export function processOptions({ folder, user }: Cluster) {
  const PGDATA = process.platform === 'linux' ? '/proc/self/cwd' : folder;
  return { cwd: folder, ...user, env: { PGDATA, LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } };
}

/**
 * Makes the cluster on the first start, and checks it on the next ones. Returns the password of the service's role;
 * a lost password file is replaced. No server may be running on the cluster.
 */
export async function prepareCluster(cluster: Cluster, durable: boolean): Promise<string> {
  const dataDir = dirname(cluster.folder);
  const kept = await readPassword(dataDir);
  const password = kept ?? (await createPassword(dataDir));
  const version = await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8').catch(absent);
  if (version === undefined) {
    await createCluster(cluster, password, durable);
    return password;
  }
  checkVersion(cluster, version.trim());
  await handOver(cluster);
  if (kept === undefined) {
    await runSql(cluster, [`ALTER ROLE ${SERVICE_NAME} PASSWORD '${password}'`]);
  }
  return password;
}

/** Whether a data folder of the service holds a database. Rejects where that cannot be found out. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  try {
    await stat(join(dataDir, 'postgres'));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw startFailure(dataDir, error);
  }
}

function checkVersion({ folder, programs }: Cluster, version: string): void {
  if (version === String(programs.major)) return;
  throw new EmbeddedPostgresError(
    `${folder} was made by PostgreSQL ${version} and this release brings PostgreSQL ${String(programs.major)}: dump ` +
      'the database with pg_dump on the release that made it and load it into a new DATA_DIR.',
  );
}

/** PostgreSQL insists on a folder of its own; one that root copied or restored belongs to root. */
async function handOver({ folder, user }: Cluster): Promise<void> {
  await chmod(folder, 0o700);
  if (user === undefined || (await stat(folder)).uid === user.uid) return;
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), user.uid, user.gid);
  }
  await chown(folder, user.uid, user.gid);
}

/** Fills a folder beside the final one and renames it when it is complete: a killed first start leaves no half. */
async function createCluster(cluster: Cluster, password: string, durable: boolean): Promise<void> {
  const { folder, programs, user } = cluster;
  if (((await readdir(folder).catch(absent)) ?? []).length > 0) {
    throw new EmbeddedPostgresError(
      `${folder} holds something that is not a PostgreSQL data folder: move it away or set DATA_DIR to another folder.`,
    );
  }
  const partial = { ...cluster, folder: `${folder}.partial` };
  // The initdb of a killed start may still be writing there.
  await rm(partial.folder, { recursive: true, force: true, maxRetries: 20 });
  await mkdir(partial.folder, { mode: 0o700 });
  if (user !== undefined) await chown(partial.folder, user.uid, user.gid);
  await runProgram(programs.initdb, initdbArguments(durable), processOptions(partial));
  await runSql(partial, [
    // CREATEDB for scratch databases: a restore beside the live one, the tests' databases; CHECKPOINT for fair
    // benchmarks.
    `CREATE ROLE ${SERVICE_NAME} LOGIN CREATEDB PASSWORD '${password}'`,
    `GRANT pg_checkpoint TO ${SERVICE_NAME}`,
    `CREATE DATABASE ${SERVICE_NAME} OWNER ${SERVICE_NAME}`,
  ]);
  await rename(partial.folder, folder);
  const parent = await open(dirname(folder));
  await parent.sync().finally(() => parent.close());
}

/** The superuser gets no password, so that nobody can sign in as one: it exists for maintenance by hand. */
function initdbArguments(durable: boolean): string[] {
  return [
    '--username=postgres',
    '--auth-local=peer',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own Unicode rules sort and fold alike on every machine, which neither libc nor ICU promises.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** Runs statements as the superuser without a server. Each must be free of blank lines, which end a statement here. */
async function runSql(cluster: Cluster, statements: readonly string[]): Promise<void> {
  const args = ['--single', '-j', '-c', 'exit_on_error=on', 'postgres'];
  const input = statements.map((statement) => `${statement};\n\n`).join('');
  await runProgram(cluster.programs.postgres, args, processOptions(cluster), input);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** The password of the database role, kept in `dataDir` for this user only; undefined before the first start. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, PASSWORD_FILE), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes and keeps a new password: 192 random bits, safe in a URL and in an SQL literal. */
async function createPassword(dataDir: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await replaceSecretFile(join(dataDir, PASSWORD_FILE), `${password}\n`);
  return password;
}
