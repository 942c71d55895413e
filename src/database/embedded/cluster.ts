import type { PostgresPrograms } from './programs.js';
import type { SystemUser } from './server-user.js';

/** A data folder of PostgreSQL with all it takes to run a server on it. */
export interface Cluster {
  /** Absolute path of the folder that holds PG_VERSION. */
  folder: string;
  programs: PostgresPrograms;
  /** Who runs the server; absent when it is the user of this process. */
  user: SystemUser | undefined;
}

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
