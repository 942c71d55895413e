import { rm, stat } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderHolder } from './data-folder-holder.js';

/** A service keeps its database for long; a command only until it has done its work. */
export type Purpose = 'service' | 'command';

/**
 * Claims `dataDir` for this process, or meets the process that holds it. The lock is a listening local socket named by
 * the folder's identity: the system frees it when its process dies, however it dies, and the holder can be asked.
 */
export async function claimDataFolder(
  dataDir: string,
  purpose: Purpose,
): Promise<DataFolderLock | FolderHolder> {
  const address = await lockAddress(dataDir);
  for (;;) {
    const server = await listen(address);
    if (server) return new DataFolderLock(server, purpose);
    const holder = await FolderHolder.meet(address);
    if (holder) return holder;
    // The holder has just ended; where sockets are files, its file is still there.
    if (!address.startsWith('\0')) await rm(address, { force: true });
  }
}

/** On Linux a name outside the file system, which leaves nothing behind and needs no writable folder. */
async function lockAddress(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const name = `document-service-${String(dev)}-${String(ino)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      resolve(server);
    });
  });
}

/** The claim of this process. Guests, the commands that use its database, stay connected while they do. */
export class DataFolderLock {
  private readonly guests = new Set<Socket>();
  private port: number | undefined;
  private closing = false;

  constructor(
    private readonly server: Server,
    private readonly purpose: Purpose,
  ) {
    server.unref();
    server.on('connection', (guest) => {
      this.greet(guest);
    });
  }

  /** Tells guests, present and future, that the database accepts connections on `port`. */
  announce(port: number): void {
    this.port = port;
    for (const guest of this.guests) guest.write(`${String(port)}\n`);
  }

  /** Resolves when no guest uses the database, after `patienceMs` in any case; then turns new ones away. */
  async close(patienceMs: number): Promise<void> {
    const end = Date.now() + patienceMs;
    while (this.guests.size > 0 && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.closing = true;
  }

  /** Gives the folder free. */
  async release(): Promise<void> {
    for (const guest of this.guests) guest.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private greet(guest: Socket): void {
    guest.on('error', () => guest.destroy());
    if (this.closing) {
      guest.destroy();
      return;
    }
    guest.unref();
    this.guests.add(guest);
    guest.once('close', () => this.guests.delete(guest));
    guest.resume();
    guest.write(`${String(process.pid)} ${this.purpose}\n`);
    if (this.port !== undefined) guest.write(`${String(this.port)}\n`);
  }
}
