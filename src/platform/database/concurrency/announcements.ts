import { AsyncResource } from 'node:async_hooks';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';

/** Minimum time between two announcements, in ms. PostgreSQL commits one transaction with a NOTIFY at a time. */
const EVERY_MS = 10;

/**
 * Gathers what this process has committed, and notifies other processes of it in few statements: at once if idle, otherwise
 * every 10 ms, one statement at a time. A statement that fails is dropped, so receivers must also poll.
 */
export class Announcements<Statement> {
  /** The keys to announce. */
  private gathered = new Map<Statement, Set<string>>();
  private isRunning = false;
  /** When the last announcement began. */
  private begunAt = -Infinity;
  /** Runs outside the transactions of callers. */
  private readonly run = AsyncResource.bind(() => this.sendAll());

  constructor(
    private readonly send: (statement: Statement, keys: string[]) => Promise<unknown>,
    private readonly now: () => number = () => performance.now(),
    /** After a turn the callers have continued, and their transactions have returned their connections to the pool. */
    private readonly pause: (ms: number) => Promise<void> = (ms) => (ms > 0 ? wait(ms) : turn()),
  ) {}

  /** Never throws. The statement gets an array of different keys. */
  add(statement: Statement, keys: readonly string[]): void {
    const gathered = this.gathered.get(statement) ?? new Set();
    for (const key of keys) this.gathered.set(statement, gathered.add(key));
    if (this.gathered.size > 0 && !this.isRunning) void this.run();
  }

  private async sendAll(): Promise<void> {
    this.isRunning = true;
    while (this.gathered.size > 0) {
      await this.pause(this.begunAt + EVERY_MS - this.now());
      this.begunAt = this.now();
      const batch = this.gathered;
      this.gathered = new Map();
      for (const [statement, keys] of batch) {
        await this.send(statement, [...keys]).catch(() => undefined);
      }
    }
    this.isRunning = false;
  }
}
