import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Log } from '../../log/log.js';
import { IndexSteps, isRefused } from './index-steps.js';
import { SearchIndex } from './search-index.js';

const EVERY_MS = 500;
/** Together documents cost less; a reader meanwhile looks at those that wait one by one. */
const WORTH_IT = 50;
const LONGEST_WAIT_SECONDS = 3;
/** Time for orders in one round: words and filters must not wait for them. */
const ORDERS_MS = 250;
/** Rounds after which all large accounts are looked at, not only those that changed. */
const ALL_ORDERS_ROUNDS = 120;
/** How long an account is left alone whose index cannot be taken forward at all. */
const REST_MS = 30_000;

/** Keeps the search index of every account up to date, in the background. Several workers may do it at once. */
@Injectable()
export class IndexUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;
  private running: Promise<void> | undefined;
  private rounds = 0;
  /** Accounts whose orders may not be up to date. */
  private readonly unordered = new Set<string>();
  /** Accounts that failed, and when they get their next turn. */
  private readonly resting = new Map<string, number>();

  constructor(
    private readonly index: SearchIndex,
    private readonly steps: IndexSteps,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      // Rounds that take longer than the interval are not joined by others.
      this.running ??= this.keepUp().finally(() => (this.running = undefined));
    }, EVERY_MS).unref();
  }

  /** The step under way is finished while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping = true;
    await this.running;
  }

  private async keepUp(): Promise<void> {
    try {
      while (!this.stopping && (await this.round()));
    } catch (error) {
      this.log.warn(
        { err: error },
        'The search index could not be brought up to date; the next round tries again.',
      );
    }
  }

  /** One step of each account that is behind, then some steps of orders; whether there may be more. */
  private async round(): Promise<boolean> {
    let more = false;
    for (const account of await this.index.accountsBehind(WORTH_IT, LONGEST_WAIT_SECONDS)) {
      if (this.stopping) return false;
      this.unordered.add(account);
      if (await this.turn(account, async () => (await this.steps.take(account)) === 'more')) {
        more = true;
      }
    }
    await this.updateOrders();
    return more;
  }

  /** The work of one account, whose failure does not end the round of the others; whether there may be more. */
  private async turn(account: string, work: () => Promise<boolean>): Promise<boolean> {
    if ((this.resting.get(account) ?? 0) > performance.now()) return false;
    this.resting.delete(account);
    try {
      return await work();
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.resting.set(account, performance.now() + REST_MS);
      this.log.warn(
        { err: error, accountId: account },
        'The search index of an account could not be brought up to date; it is tried again in half a minute.',
      );
      return false;
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
        if (await this.turn(account, () => this.index.updateOrders(account))) continue;
        this.unordered.delete(account);
        break;
      }
    }
  }
}
