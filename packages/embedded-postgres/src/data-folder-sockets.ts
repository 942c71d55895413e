import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const PREFIX = 'lock.';
/** Errors of a socket without a listener, whose process has ended or removed it. */
const UNUSED = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT']);

/** A service holds its database for a long time, a command only until it finishes. */
export type Purpose = 'service' | 'command';

/** Where a service listens. */
export interface ServiceAddresses {
  /** For programs on this machine, such as `http://localhost:3000`. */
  localUrl: string;
  /** For people and clients elsewhere. */
  publicUrl: string;
}

/** Maximum time to wait for a holder's greeting, in ms. */
const GREETING_TIMEOUT_MS = 5_000;

/** Sockets that let the processes of a data folder find each other, even across containers. */
export class FolderSockets {
  private constructor(
    private readonly folder: string,
    private readonly handle: FileHandle,
  ) {}

  /**
   * Opens the sockets of a data folder. Socket paths are limited to about 100 bytes, so on Linux the path refers to the
   * folder by an open handle. Other systems use a temporary folder named after the identity of the data folder.
   */
  static async of(dataDir: string): Promise<FolderSockets> {
    const handle = await open(dataDir);
    if (process.platform === 'linux') {
      return new FolderSockets(`/proc/self/fd/${String(handle.fd)}`, handle);
    }
    const { dev, ino } = await stat(dataDir, { bigint: true });
    const folder = join(tmpdir(), `document-service-${String(dev)}-${String(ino)}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new FolderSockets(folder, handle);
  }

  /** Returns the addresses of all sockets. Their processes may have ended. */
  async all(): Promise<string[]> {
    const names = await readdir(this.folder);
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => join(this.folder, name));
  }

  /** Returns an unused address. */
  unused(): string {
    return join(this.folder, `${PREFIX}${randomUUID().slice(0, 8)}`);
  }

  /** Closes the folder. Its addresses are invalid afterwards. */
  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** Connects to the process at `address`. Returns undefined if no process listens there. Rejects if that is unknown. */
export async function connectTo(address: string): Promise<Socket | undefined> {
  const socket = createConnection(address);
  // Also handles errors after the connection is made.
  socket.on('error', () => socket.destroy());
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    if (UNUSED.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Another process that holds the data folder, as seen by a guest. */
export class FolderHolder {
  private constructor(
    readonly pid: number,
    readonly purpose: Purpose,
    /** Undefined if the holder is a command, or does not listen yet. */
    readonly service: ServiceAddresses | undefined,
    private readonly socket: Socket,
    private readonly lines: AsyncIterator<string, undefined>,
  ) {}

  /** Reads the greeting of the holder at `address`. Returns undefined if it has ended or is about to. */
  static async connect(address: string): Promise<FolderHolder | undefined> {
    const socket = await connectTo(address);
    if (!socket) return undefined;
    const reader = createInterface({ input: socket });
    // A reset connection emits no `end` event.
    socket.once('close', () => {
      reader.close();
    });
    const lines = reader[Symbol.asyncIterator]();
    const silence = new AbortController();
    const greeting = await Promise.race([
      nextLine(lines),
      delay(GREETING_TIMEOUT_MS, 'silent' as const, { signal: silence.signal }),
    ]);
    silence.abort();
    if (greeting === 'silent') {
      socket.destroy();
      throw new EmbeddedPostgresError(
        'The data folder is in use by a process that does not respond (is it suspended?): end it, or set DATA_DIR to another folder.',
      );
    }
    if (greeting === undefined) return undefined;
    const [pid, purpose, localUrl, publicUrl] = greeting.split(' ');
    const service =
      localUrl === undefined || publicUrl === undefined ? undefined : { localUrl, publicUrl };
    return new FolderHolder(Number(pid), purpose as Purpose, service, socket, lines);
  }

  /** Returns the port of the database once it accepts connections, or undefined if the holder ended first. */
  async databasePort(): Promise<number | undefined> {
    const line = await nextLine(this.lines);
    // From now on the connection only marks the database as in use. It must not keep this process running.
    this.socket.unref();
    return line === undefined ? undefined : Number(line);
  }

  /** Reports that this guest no longer uses the database. */
  disconnect(): void {
    this.socket.destroy();
  }
}

/**
 * Returns the URLs of the service that runs on a data folder, or undefined if none listens. Nothing is stored, so a killed
 * service leaves nothing that could mislead. Throws `EmbeddedPostgresError` if the service is suspended.
 */
export async function runningService(dataDir: string): Promise<ServiceAddresses | undefined> {
  const sockets = await FolderSockets.of(resolve(dataDir)).catch(() => undefined);
  if (!sockets) return undefined;
  try {
    for (const address of await sockets.all()) {
      const holder = await FolderHolder.connect(address);
      holder?.disconnect();
      if (holder?.service) return holder.service;
    }
    return undefined;
  } finally {
    await sockets.close();
  }
}

/** Returns undefined at the end of the connection, even if the other process reset it. */
async function nextLine(lines: AsyncIterator<string, undefined>): Promise<string | undefined> {
  try {
    return (await lines.next()).value;
  } catch {
    return undefined;
  }
}
