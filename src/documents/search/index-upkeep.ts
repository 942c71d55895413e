import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Log } from '../../log/log.js';
import { SearchIndex } from './search-index.js';

const EVERY_MS = 500;
/** Together documents cost less; a reader meanwhile looks at those that wait one by one. */
const WORTH_IT = 50;
const LONGEST_WAIT_SECONDS = 3;
/** Time for orders in one round: words and filters must not wait for them. */
const ORDERS_MS = 250;
/** Rounds after which all large accounts are looked at, not only those that changed. */
const ALL_ORDERS_ROUNDS = 120;

/** Keeps the search index of every account up to date, in the background. Several workers may do it at once. */
@Injectable()
export class IndexUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;
  private running: Promise<void> | undefined;
  private rounds = 0;
  /** Accounts whose orders may not be up to date. */
  private readonly unordered = new Set<string>();

  constructor(
    private readonly index: SearchIndex,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      // A round that takes longer than the interval is not joined by another one.
      this.running ??= this.round().finally(() => (this.running = undefined));
    }, EVERY_MS).unref();
  }

  /** The batch under way is finished while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping = true;
    await this.running;
  }

  /** One batch of each account that is behind, again while there is more; then some steps of their orders. */
  async round(): Promise<void> {
    try {
      let accounts = await this.index.accountsBehind(WORTH_IT, LONGEST_WAIT_SECONDS);
      for (const account of accounts) this.unordered.add(account);
      while (accounts.length > 0 && !this.stopping) {
        const behind: string[] = [];
        for (const account of accounts) if (await this.index.update(account)) behind.push(account);
        accounts = behind;
      }
      await this.updateOrders();
    } catch (error) {
      this.log.warn(
        { err: error },
        'The search index could not be brought up to date; the next round tries again.',
      );
    }
  }

  private async updateOrders(): Promise<void> {
    if (this.rounds % ALL_ORDERS_ROUNDS === 0) {
      for (const account of await this.index.largeAccounts()) this.unordered.add(account);
    }
    this.rounds += 1;
    const until = performance.now() + ORDERS_MS;
    for (const account of this.unordered) {
      while (!this.stopping && performance.now() < until) {
        if (await this.index.updateOrders(account)) continue;
        this.unordered.delete(account);
        break;
      }
    }
  }
}
