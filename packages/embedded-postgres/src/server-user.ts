import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runProgram } from './run-program.js';

/** Pause between attempts to take a lock that another start holds, in ms. */
const RETRY_MS = 50;

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Returns the user that runs the server on the cluster in `folder`, or undefined for the user of this process. PostgreSQL
 * refuses to run as root, so root uses the owner of the cluster, or the system user `postgres`, which is created if missing.
 */
export async function serverUser(folder: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL does not run as root on this system: start the service as an ordinary user.',
    );
  }
  const owner = await stat(folder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await postgresUser()) ?? (await withUserLock(createPostgresUser));
}

async function postgresUser(): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([
      runProgram('id', ['-u', 'postgres']),
      runProgram('id', ['-g', 'postgres']),
    ]);
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

/** Creates the user once. Two simultaneous runs of useradd would both create it, and the second would change its id. */
async function createPostgresUser(): Promise<SystemUser> {
  const existing = await postgresUser();
  if (existing !== undefined) return existing;
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
  const failure = await runProgram('useradd', [...options, 'postgres'], {
    env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' },
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const user = await postgresUser();
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root and the system user "postgres" could not be created: start the service as an ' +
      'ordinary user, create that system user by hand, or set DATABASE_URL to a PostgreSQL server.',
    { cause: failure },
  );
}

/**
 * Runs `work` in one process of this machine at a time. Works only on Linux: the lock is an abstract socket, which the
 * system frees however its process ends.
 */
async function withUserLock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const lock = createServer().listen('\0document-service-system-user');
    try {
      await once(lock, 'listening');
      return await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    } finally {
      lock.close();
    }
    await delay(RETRY_MS);
  }
}
