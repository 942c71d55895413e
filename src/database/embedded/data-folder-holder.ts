import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Purpose } from './data-folder-lock.js';
import { reach } from './folder-sockets.js';

const GREETING_TIMEOUT_MS = 5_000;

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
