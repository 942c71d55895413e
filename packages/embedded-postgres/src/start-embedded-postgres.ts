import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareCluster, readPassword, SERVICE_NAME } from './cluster.js';
import { createDataFolder } from './data-folder.js';
import { claimDataFolder, type DataFolderLock } from './data-folder-lock.js';
import { FolderHolder, type Purpose, type ServiceAddresses } from './data-folder-sockets.js';
import { EmbeddedPostgresError, startFailure } from './embedded-postgres-error.js';
import { findInstallation, programsFor } from './programs.js';
import { stopServer } from './server-process.js';
import { serverUser } from './server-user.js';
import { SupervisedServer, type Log } from './supervised-server.js';

interface EmbeddedPostgresOptions {
  /** Folder for all data of the service, created if missing. The database is in `postgres` below it. */
  dataDir: string;
  log?: Log;
  /** False gives up crash safety for speed, for tests. */
  durable?: boolean;
}

/** A PostgreSQL that accepts connections. */
export interface EmbeddedPostgres {
  /** Connection string of the service's role and database. */
  url: string;
  /** True if this process started the server. */
  owned: boolean;
  /** Tells commands, which ask with `runningService`, where the service of this process listens. */
  announce(addresses: ServiceAddresses): void;
  /** Ends the server if this process started it. Safe to call repeatedly. */
  stop(): Promise<void>;
}

/** Maximum time in ms that a start waits for a command that holds the folder, and a command for another command. */
const COMMAND_LIMIT_MS = 30_000;
const RETRY_MS = 50;

/**
 * Starts the bundled PostgreSQL on the data folder, even after a crash. Throws {@link EmbeddedPostgresError}, also if
 * another service runs on this folder.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  // Counts attempts instead of time, so a suspended process does not time out.
  let retries = COMMAND_LIMIT_MS / RETRY_MS;
  return withFolder(options, 'service', async (holder, dataDir) => {
    // Disconnects immediately. Otherwise, the two commands would wait for each other.
    holder.disconnect();
    if (holder.purpose === 'command' && retries > 0) {
      retries -= 1;
      await delay(RETRY_MS);
      return undefined;
    }
    throw new EmbeddedPostgresError(
      `Process ${String(holder.pid)} already uses the data folder ${dataDir}: end it, or set DATA_DIR to another ` +
        'folder or DATABASE_URL to a PostgreSQL server.',
    );
  });
}

/**
 * Returns the database of the service that runs on this data folder, or starts one that stop() ends. Used by the command
 * line. Throws {@link EmbeddedPostgresError}.
 */
export async function connectOrStartEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  return withFolder(options, 'command', async (holder, dataDir) => {
    const port = await holder.databasePort();
    if (port === undefined) return undefined;
    const url = connectionString((await readPassword(dataDir)) ?? '', port);
    return {
      url,
      owned: false,
      announce: () => undefined,
      stop: () => {
        holder.disconnect();
        return Promise.resolve();
      },
    };
  });
}

/** Starts on a free folder. If another process holds it, calls `onHeld`, which returns undefined to try again. */
async function withFolder(
  options: EmbeddedPostgresOptions,
  purpose: Purpose,
  onHeld: (holder: FolderHolder, dataDir: string) => Promise<EmbeddedPostgres | undefined>,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    // Checked first, because no folder helps without PostgreSQL's programs.
    await findInstallation();
    await createDataFolder(dataDir);
    for (;;) {
      const claim = await claimDataFolder(dataDir, purpose);
      if (!(claim instanceof FolderHolder)) {
        return await startOn(dataDir, claim, purpose, options);
      }
      const database = await onHeld(claim, dataDir);
      if (database) return database;
    }
  } catch (error) {
    throw startFailure(dataDir, error);
  }
}

async function startOn(
  dataDir: string,
  lock: DataFolderLock,
  purpose: Purpose,
  { log = () => undefined, durable = true }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  try {
    const folder = join(dataDir, 'postgres');
    const user = await serverUser(folder);
    const cluster = { folder, user, programs: await programsFor(user) };
    // No other process holds the folder, so a server on it has outlived its service.
    await stopServer(cluster);
    const password = await prepareCluster(cluster, durable);
    const server = await SupervisedServer.start(cluster, durable, log);
    lock.announce(server.port);
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      await lock.close(purpose === 'command' ? COMMAND_LIMIT_MS : 0);
      await server.stop().finally(() => lock.release());
    };
    return {
      url: connectionString(password, server.port),
      owned: true,
      announce: (addresses) => {
        lock.announceService(addresses);
      },
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function connectionString(password: string, port: number): string {
  return `postgres://${SERVICE_NAME}:${password}@127.0.0.1:${String(port)}/${SERVICE_NAME}`;
}
