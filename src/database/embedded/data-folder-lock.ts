import { rm, stat } from 'node:fs/promises';
import type { Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { FolderHolder } from './data-folder-holder.js';
import { lockAddress, tryToHold } from './local-lock.js';

const RETRY_MS = 20;

/** A service keeps its database for long; a command only until it has done its work. */
export type Purpose = 'service' | 'command';

/**
 * Claims `dataDir` for this process, or meets the process that holds it. The lock is a local socket, on
 * which the holder can be asked who it is and where its database listens.
 */
export async function claimDataFolder(
  dataDir: string,
  purpose: Purpose,
): Promise<DataFolderLock | FolderHolder> {
  const address = lockAddress(await identityOf(dataDir));
  for (;;) {
    const server = await tryToHold(address);
    if (server) return new DataFolderLock(server, purpose);
    const holder = await FolderHolder.meet(address);
    if (holder) return holder;
    // The holder is ending or has just ended; where sockets are files, its file may still be there.
    if (!address.startsWith('\0')) await rm(address, { force: true });
    await delay(RETRY_MS);
  }
}

/** The folder's identity, which all its paths and links share. */
async function identityOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${String(dev)}-${String(ino)}`;
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
      await delay(RETRY_MS);
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
