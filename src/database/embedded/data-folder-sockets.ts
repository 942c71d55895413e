import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'lock.';
/** Nobody listens there (any more): the process of the socket has ended, or tidied it away. */
const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT']);

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
