import { AsyncResource } from 'node:async_hooks';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';

/** Minimum time between two announcements, in ms. PostgreSQL commits one transaction with a NOTIFY at a time. */
const EVERY_MS = 10;

/**
 * Gathers what this process has committed, and notifies other processes of it in few statements: at once if idle, otherwise
 * every 10 ms, one statement at a time. A statement that fails is dropped, so receivers must also poll.
 */
export class Announcements<Statement> {
  /** The keys to announce, by statement. */
  private gathered = new Map<Statement, Set<string>>();
  private isRunning = false;
  /** Runs in the context in which this object was created, so that it never joins a caller's transaction. */
  private readonly run: () => Promise<void>;

  constructor(
    private readonly send: (statement: Statement, keys: string[]) => Promise<unknown>,
    private readonly pause: () => Promise<void> = () => wait(EVERY_MS),
  ) {
    this.run = AsyncResource.bind(() => this.sendAll());
  }

  /** Never throws. The statement gets an array of different keys. */
  add(statement: Statement, keys: readonly string[]): void {
    if (keys.length === 0) return;
    const gathered = this.gathered.get(statement) ?? new Set();
    for (const key of keys) gathered.add(key);
    this.gathered.set(statement, gathered);
    if (!this.isRunning) void this.run();
  }

  private async sendAll(): Promise<void> {
    this.isRunning = true;
    // The callers continue first, and their transactions return their connections to the pool.
    await turn();
    while (this.gathered.size > 0) {
      const batch = this.gathered;
      this.gathered = new Map();
      const pause = this.pause();
      for (const [statement, keys] of batch) {
        try {
          await this.send(statement, [...keys]);
        } catch {
          // Receivers find out when they poll.
        }
      }
      await pause;
    }
    this.isRunning = false;
  }
}
