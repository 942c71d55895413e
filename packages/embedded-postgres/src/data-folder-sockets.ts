import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const PREFIX = 'lock.';
/** Nobody listens there (any more): the process of the socket has ended, or tidied it away. */
const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT']);

/** A service keeps its database for long; a command only until it has done its work. */
export type Purpose = 'service' | 'command';

/** How long a holder may take to greet, in ms. */
const GREETING_TIMEOUT_MS = 5_000;

/** The sockets by which the processes that want one data folder find each other, whatever container they run in. */
export class FolderSockets {
  private constructor(
    private readonly folder: string,
    private readonly handle: FileHandle,
  ) {}

  /**
   * The sockets lie in the data folder itself. A socket's path is limited to about 100 bytes, so Linux names the folder
   * by an open handle; elsewhere a folder for temporary files, named by the data folder's identity, stands for it.
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

  /** Addresses of all sockets there are; their processes may have ended. */
  async all(): Promise<string[]> {
    const names = await readdir(this.folder);
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => join(this.folder, name));
  }

  /** An address that nobody uses. */
  unused(): string {
    return join(this.folder, `${PREFIX}${randomUUID().slice(0, 8)}`);
  }

  /** The addresses are valid until then. */
  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** A connection to the process that listens at `address`; undefined when none does. Rejects when it cannot be told. */
export function reach(address: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.once('connect', () => {
      resolve(socket);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      socket.destroy();
      if (GONE.has(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
  });
}

/** Another process that holds the data folder, seen by a guest that is connected to it. */
export class FolderHolder {
  private constructor(
    readonly pid: number,
    readonly purpose: Purpose,
    private readonly socket: Socket,
    private readonly lines: AsyncIterator<string, undefined>,
  ) {}

  /** Reads the greeting of the holder at `address`; undefined when it has ended or is about to. */
  static async meet(address: string): Promise<FolderHolder | undefined> {
    const socket = await reach(address);
    if (!socket) return undefined;
    const reader = createInterface({ input: socket });
    // A connection that is reset ends without an end.
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
        'The data folder is in use by a process that does not answer (is it suspended?): end it, or set DATA_DIR to another folder.',
      );
    }
    if (greeting === undefined) return undefined;
    const [pid, purpose] = greeting.split(' ');
    return new FolderHolder(Number(pid), purpose as Purpose, socket, lines);
  }

  /** The port of its database, once that accepts connections; undefined when the holder ended before. */
  async databasePort(): Promise<number | undefined> {
    const line = await nextLine(this.lines);
    // From here on the connection only says that the database is in use, and need not keep this process running.
    this.socket.unref();
    return line === undefined ? undefined : Number(line);
  }

  /** Says that its database is no longer used. */
  leave(): void {
    this.socket.destroy();
  }
}

/** Undefined at the end of the connection, also at a reset by a process that ends. */
async function nextLine(lines: AsyncIterator<string, undefined>): Promise<string | undefined> {
  try {
    return (await lines.next()).value;
  } catch {
    return undefined;
  }
}
