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

/** A PostgreSQL data folder and everything needed to run a server on it. */
export interface Cluster {
  /** Absolute path of the folder that contains PG_VERSION. */
  folder: string;
  programs: PostgresPrograms;
  /** The user that runs the server. Undefined for the user of this process. */
  user: SystemUser | undefined;
}

const PASSWORD_FILE = 'postgres-password';

/** Name of the service's role and database. The role is not a superuser, and only it has a password. */
export const SERVICE_NAME = 'document_service';

/**
 * Returns spawn options for PostgreSQL's programs. Node changes to the folder before it changes the user. Linux then
 * refers to the folder by that working directory, so a server that runs as `postgres` does not need access to parent
 * folders, which may be private to root. The environment is minimal, so PG* variables cannot interfere, and English,
 * because messages are matched.
 */
export function processOptions({ folder, user }: Cluster) {
  const PGDATA = process.platform === 'linux' ? '/proc/self/cwd' : folder;
  return { cwd: folder, ...user, env: { PGDATA, LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } };
}

/**
 * Creates the cluster on the first start and checks it on later starts. Returns the password of the service's role and
 * replaces a lost password file. No server may be running on the cluster.
 */
export async function prepareCluster(cluster: Cluster, durable: boolean): Promise<string> {
  const dataDir = dirname(cluster.folder);
  const stored = await readPassword(dataDir);
  const password = stored ?? (await createPassword(dataDir));
  const version = await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8').catch(ifMissing);
  if (version === undefined) {
    await createCluster(cluster, password, durable);
    return password;
  }
  checkVersion(cluster, version.trim());
  await setOwner(cluster);
  if (stored === undefined) {
    await runSql(cluster, [`ALTER ROLE ${SERVICE_NAME} PASSWORD '${password}'`]);
  }
  return password;
}

/** Returns true if a data folder contains a database. Rejects if this is unknown. */
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
    `${folder} was created by PostgreSQL ${version}, but this release includes PostgreSQL ${String(programs.major)}: dump ` +
      'the database with pg_dump on the release that created it and load it into a new DATA_DIR.',
  );
}

/** Changes the owner of the folder, as PostgreSQL requires. A folder that root copied or restored belongs to root. */
async function setOwner({ folder, user }: Cluster): Promise<void> {
  await chmod(folder, 0o700);
  if (user === undefined || (await stat(folder)).uid === user.uid) return;
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), user.uid, user.gid);
  }
  await chown(folder, user.uid, user.gid);
}

/** Fills a temporary folder and renames it when complete, so a killed first start leaves nothing incomplete. */
async function createCluster(cluster: Cluster, password: string, durable: boolean): Promise<void> {
  const { folder, programs, user } = cluster;
  if (((await readdir(folder).catch(ifMissing)) ?? []).length > 0) {
    throw new EmbeddedPostgresError(
      `${folder} is not a PostgreSQL data folder: move it or set DATA_DIR to another folder.`,
    );
  }
  const partial = { ...cluster, folder: `${folder}.partial` };
  // The initdb of a killed start may still be writing to this folder.
  await rm(partial.folder, { recursive: true, force: true, maxRetries: 20 });
  await mkdir(partial.folder, { mode: 0o700 });
  if (user !== undefined) await chown(partial.folder, user.uid, user.gid);
  await runProgram(programs.initdb, initdbArguments(durable), processOptions(partial));
  await runSql(partial, [
    // CREATEDB is for temporary databases: restores next to the live database, and tests. CHECKPOINT is for fair benchmarks.
    `CREATE ROLE ${SERVICE_NAME} LOGIN CREATEDB PASSWORD '${password}'`,
    `GRANT pg_checkpoint TO ${SERVICE_NAME}`,
    `CREATE DATABASE ${SERVICE_NAME} OWNER ${SERVICE_NAME}`,
  ]);
  await rename(partial.folder, folder);
  const parent = await open(dirname(folder));
  await parent.sync().finally(() => parent.close());
}

/** Returns arguments for initdb. The superuser has no password, so it can only sign in locally, for manual maintenance. */
function initdbArguments(durable: boolean): string[] {
  return [
    '--username=postgres',
    '--auth-local=peer',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's built-in Unicode rules sort and fold the same way on every machine, unlike libc and ICU.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** Runs statements as the superuser without a server. Blank lines end a statement, so statements must not contain any. */
async function runSql(cluster: Cluster, statements: readonly string[]): Promise<void> {
  const args = ['--single', '-j', '-c', 'exit_on_error=on', 'postgres'];
  const input = statements.map((statement) => `${statement};\n\n`).join('');
  await runProgram(cluster.programs.postgres, args, processOptions(cluster), input);
}

/** Returns undefined for the error of a missing file. */
function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Returns the password of the database role from `dataDir`, or undefined before the first start. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, PASSWORD_FILE), 'utf8').catch(ifMissing);
  return text?.trim();
}

/** Creates and stores a password: 192 random bits, safe in URLs and SQL literals. */
async function createPassword(dataDir: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await replaceSecretFile(join(dataDir, PASSWORD_FILE), `${password}\n`);
  return password;
}
