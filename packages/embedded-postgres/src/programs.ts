import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runProgram } from './run-program.js';
import type { SystemUser } from './server-user.js';

/** PostgreSQL's programs on this machine. */
export interface PostgresPrograms {
  initdb: string;
  postgres: string;
  /** Major version, which is also the format of the data folder. */
  major: number;
}

/** A folder with PostgreSQL's programs and libraries in `native/`, as in the embedded-postgres packages. */
interface Installation {
  root: string;
  /** Versions of PostgreSQL and of the package, such as `18.4.0-beta.17`. */
  version: string;
}

const COPIES_FOLDER = '/var/lib/document-service';

/**
 * Returns the installed programs, or a copy that `user` can run if only root can read the installation. Throws {@link
 * EmbeddedPostgresError} if there are no programs for this machine or copying fails.
 */
export async function programsFor(user: SystemUser | undefined): Promise<PostgresPrograms> {
  const installation = await findInstallation();
  await restoreLinks(installation.root);
  const installed = programsIn(installation);
  if (user === undefined || (await canRun(installed, user))) return installed;
  const copy = await copyOnce(installation);
  const copied = programsIn(copy);
  if (await canRun(copied, user)) return copied;
  throw new EmbeddedPostgresError(
    `The copy of PostgreSQL's programs in ${copy.root} does not run: remove that folder and start again, or set ` +
      'DATABASE_URL to a PostgreSQL server.',
  );
}

function programsIn({ root, version }: Installation): PostgresPrograms {
  const bin = join(root, 'native', 'bin');
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    major: Number.parseInt(version, 10),
  };
}

async function canRun({ postgres }: PostgresPrograms, user: SystemUser): Promise<boolean> {
  return runProgram(postgres, ['--version'], { ...user, cwd: '/' }).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
      throw new EmbeddedPostgresError(
        'PostgreSQL refuses to run as root, and root cannot start it as another user here: start the service as an ' +
          'ordinary user, or set DATABASE_URL to a PostgreSQL server.',
        { cause: error },
      );
    },
  );
}

/** Copies the programs once. Simultaneous starts fill separate folders, and all use the one that is renamed first. */
async function copyOnce(installation: Installation): Promise<Installation> {
  const { root, version } = installation;
  const copy = join(COPIES_FOLDER, `postgresql-${version}-${basename(root)}`);
  if (await exists(copy)) return { root: copy, version };
  const unfinished = `${copy}.${randomUUID()}`;
  try {
    await copyReadable(join(root, 'native'), join(unfinished, 'native'));
    await restoreLinks(unfinished);
    for (const folder of [COPIES_FOLDER, unfinished]) await chmod(folder, 0o755);
    await rename(unfinished, copy);
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(copy))) throw copyFailure(root, cause as Error);
  }
  return { root: copy, version };
}

/** Copies folders and files and makes them readable by all users. Skips links. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyReadable(source, target);
    if (!entry.isFile()) continue;
    await copyFile(source, target);
    await chmod(target, 0o755);
  }
}

function copyFailure(root: string, cause: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The system user that runs PostgreSQL cannot read ${root}, and its programs could not be copied to ` +
      `${COPIES_FOLDER} (${cause.message}): start the service as an ordinary user, make the checkout readable, ` +
      'or set DATABASE_URL to a PostgreSQL server.',
    { cause },
  );
}

/**
 * Finds the package with the programs for this machine without importing it. Importing embedded-postgres installs
 * handlers for exit signals, which would stop the database before the service has drained.
 */
export async function findInstallation(): Promise<Installation> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(embeddedPostgres).resolve(name)));
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Installation;
    return { root, version: manifest.version };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here: set DATABASE_URL to a ` +
        'PostgreSQL 15 or later, or run npm ci with optional packages included.',
      { cause },
    );
  }
}

/** Creates the links between libraries if the install script has not. npm packages cannot contain links. */
async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(root, target);
    if (await exists(path)) continue;
    await symlink(basename(source), path).catch((cause: unknown) => {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
      throw new EmbeddedPostgresError(
        `Links between the libraries of PostgreSQL are missing in ${root} and could not be created: run npm rebuild as the ` +
          'user who installed the service, or set DATABASE_URL to a PostgreSQL server.',
        { cause },
      );
    });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
