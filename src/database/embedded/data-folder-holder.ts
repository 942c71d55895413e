import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Purpose } from './data-folder-lock.js';

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
    const socket = connect(address);
    socket.on('error', () => socket.destroy());
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const silence = new AbortController();
    const greeting = await Promise.race([
      lines.next(),
      delay(GREETING_TIMEOUT_MS, 'silent' as const, { signal: silence.signal }),
    ]);
    silence.abort();
    if (greeting === 'silent') {
      socket.destroy();
      throw new EmbeddedPostgresError(
        'The data folder is in use by a process that does not answer (is it suspended?): end it, or set DATA_DIR to another folder.',
      );
    }
    if (greeting.done) return undefined;
    const [pid, purpose] = greeting.value.split(' ');
    return new FolderHolder(Number(pid), purpose as Purpose, socket, lines);
  }

  /** The port of its database, once that accepts connections; undefined when the holder ended before. */
  async databasePort(): Promise<number | undefined> {
    const line = await this.lines.next();
    // From here on the connection only says that the database is in use, and need not keep this process running.
    this.socket.unref();
    return line.done ? undefined : Number(line.value);
  }

  /** Says that its database is no longer used. */
  leave(): void {
    this.socket.destroy();
  }
}
