import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  FolderHolder,
  FolderSockets,
  connectTo,
  type Purpose,
  type ServiceAddresses,
} from './data-folder-sockets.js';
import { waitWhile } from './wait-while.js';

const RETRY_MS = 20;

/**
 * Claims `dataDir` for this process, or returns the process that holds it. The lock is a local socket, which the system
 * closes however the process ends. The socket also reports the holder's process id, purpose, URLs and database port.
 */
export async function claimDataFolder(
  dataDir: string,
  purpose: Purpose,
): Promise<DataFolderLock | FolderHolder> {
  const sockets = await FolderSockets.of(dataDir);
  let lock: DataFolderLock | undefined;
  try {
    for (;;) {
      for (const address of await sockets.all()) {
        const holder = await FolderHolder.connect(address);
        if (holder) return holder;
      }
      lock = await DataFolderLock.tryToAcquire(sockets, purpose);
      if (lock) return lock;
      // Two processes that found each other both gave up. A random pause lets one of them go first.
      await delay(RETRY_MS * (1 + 4 * Math.random()));
    }
  } finally {
    if (!lock) await sockets.close();
  }
}

/** The claim of this process. Guests (commands that use its database) stay connected. */
export class DataFolderLock {
  private readonly server = createServer();
  private readonly guests = new Set<Socket>();
  private port: number | undefined;
  private service: ServiceAddresses | undefined;
  private held = false;
  private closing = false;

  private constructor(
    private readonly sockets: FolderSockets,
    private readonly purpose: Purpose,
  ) {
    this.server.unref();
    this.server.on('connection', (guest) => {
      this.receive(guest);
    });
  }

  /**
   * Listens first and then looks for others. Of two simultaneous starts, the later one finds the earlier one, so at most
   * one holds the folder. Returns undefined if another process was found.
   */
  static async tryToAcquire(
    sockets: FolderSockets,
    purpose: Purpose,
  ): Promise<DataFolderLock | undefined> {
    const lock = new DataFolderLock(sockets, purpose);
    try {
      lock.held = await lock.listenAlone();
    } finally {
      if (!lock.held) await lock.stopListening();
    }
    if (!lock.held) return undefined;
    for (const guest of lock.guests) lock.greet(guest);
    return lock;
  }

  /** Tells current and future guests that the database accepts connections on `port`. */
  announce(port: number): void {
    this.port = port;
    for (const guest of this.guests) guest.write(`${String(port)}\n`);
  }

  /** Tells future guests where the service of this process listens. */
  announceService(addresses: ServiceAddresses): void {
    this.service = addresses;
  }

  /** Resolves when no guest uses the database, or after `limitMs`. Then rejects new guests. */
  async close(limitMs: number): Promise<void> {
    await waitWhile(() => this.guests.size > 0, limitMs, RETRY_MS);
    this.closing = true;
  }

  /** Releases the folder. */
  async release(): Promise<void> {
    await this.stopListening();
    await this.sockets.close();
  }

  private async listenAlone(): Promise<boolean> {
    const own = this.sockets.unused();
    this.server.listen(own);
    await once(this.server, 'listening');
    const stale: string[] = [];
    for (const address of await this.sockets.all()) {
      if (address === own) continue;
      const other = await connectTo(address);
      other?.destroy();
      if (other) return false;
      stale.push(address);
    }
    // Before we listened, another holder may have removed our socket, taking it for that of a killed process.
    if (!(await this.sockets.all()).includes(own)) return false;
    for (const address of stale) await rm(address, { force: true });
    return true;
  }

  private async stopListening(): Promise<void> {
    for (const guest of this.guests) guest.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private receive(guest: Socket): void {
    guest.on('error', () => guest.destroy());
    if (this.closing) {
      guest.destroy();
      return;
    }
    guest.unref();
    this.guests.add(guest);
    guest.once('close', () => this.guests.delete(guest));
    guest.resume();
    if (this.held) this.greet(guest);
  }

  private greet(guest: Socket): void {
    const urls = this.service ? [this.service.localUrl, this.service.publicUrl] : [];
    guest.write(`${[String(process.pid), this.purpose, ...urls].join(' ')}\n`);
    if (this.port !== undefined) guest.write(`${String(this.port)}\n`);
  }
}
