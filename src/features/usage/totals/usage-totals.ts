import {
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HOUR_MS, MINUTE_MS } from '../../../platform/background/background-tasks.js';
import { Poller } from '../../../platform/background/poller.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { Log } from '../../../platform/operation/log.js';
import { bucketOf, LATENCY_BUCKETS } from './latency.js';
import { UsageTotalsRepository, type Total, type TotalKey } from './usage-totals.repository.js';

/** A request or delivery attempt. */
interface Occurrence extends TotalKey {
  at: Date;
  /** `undefined` for streams, whose duration the client decides. */
  durationMs: number | undefined;
}

const WRITE_EVERY_MS = 1_000;
/** Maximum number of totals per statement. */
const BATCH = 1_000;
/** Maximum number of totals that wait while the database is unavailable. Further ones are dropped and logged. */
const MAX_WAITING = 20_000;

/** Counts requests and deliveries in memory, and adds them to the database every second. */
@Injectable()
export class UsageTotals implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly writerId = newUuid();
  private readonly waiting = new Map<string, Total>();
  private batch = 0;
  /** The current batch. It is resent unchanged until the database confirms it. */
  private unsent: Total[] = [];
  private writing: Promise<boolean> | undefined;
  private dropped = 0;
  private readonly poller = new Poller({
    everyMs: WRITE_EVERY_MS,
    work: () => this.writeBatch(),
    onFailure: (error) => {
      this.log.warn({ err: error }, 'Usage totals wait until the database is available again.');
    },
  });

  constructor(
    private readonly totals: UsageTotalsRepository,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.poller.start();
  }

  /** Runs after the last request and delivery, and before the database connection closes. */
  async onApplicationShutdown(): Promise<void> {
    await this.poller.stop();
    await this.write().catch((error: unknown) => {
      this.log.warn({ err: error }, 'The last usage totals could not be written.');
    });
  }

  count({ at, durationMs, ...key }: Occurrence): void {
    const minute = startOf(at.getTime(), MINUTE_MS);
    const name = nameOf(key, minute);
    let total = this.waiting.get(name);
    if (!total) {
      if (this.waiting.size >= MAX_WAITING) {
        this.dropped += 1;
        return;
      }
      const latency = new Array<number>(LATENCY_BUCKETS).fill(0);
      total = { ...key, at: minute, count: 0, latency };
      this.waiting.set(name, total);
    }
    total.count += 1;
    if (durationMs === undefined) return;
    const bucket = bucketOf(durationMs);
    total.latency[bucket] = (total.latency[bucket] ?? 0) + 1;
  }

  /** Writes all totals. If it rejects with a pg error, nothing is lost. */
  async write(): Promise<void> {
    do await this.writeBatch();
    while (this.waiting.size > 0);
  }

  /** Returns true if another full batch waits. Concurrent calls share the batch in flight. */
  private writeBatch(): Promise<boolean> {
    this.writing ??= this.addBatch().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async addBatch(): Promise<boolean> {
    if (this.unsent.length === 0) this.takeBatch();
    if (this.unsent.length === 0) return false;
    try {
      await this.totals.add(this.writerId, this.batch, this.unsent, byHour(this.unsent));
    } catch (error) {
      if (asUnavailable(error)) throw error;
      this.log.error(
        { err: error },
        'The database rejected a batch of usage totals, which is lost.',
      );
    }
    this.unsent = [];
    this.reportDropped();
    return this.waiting.size >= BATCH;
  }

  private takeBatch(): void {
    for (const [name, total] of this.waiting) {
      if (this.unsent.length === BATCH) break;
      this.unsent.push(total);
      this.waiting.delete(name);
    }
    this.batch += 1;
  }

  private reportDropped(): void {
    if (this.dropped === 0) return;
    this.log.warn(
      { notCounted: this.dropped },
      'The database was unavailable for so long that some usage was not counted.',
    );
    this.dropped = 0;
  }
}

/** Separate from {@link UsageModule}, because workers count too. */
@Module({ providers: [UsageTotals, UsageTotalsRepository], exports: [UsageTotals] })
export class UsageTotalsModule {}

function byHour(minutes: readonly Total[]): Total[] {
  const hours = new Map<string, Total>();
  for (const minute of minutes) {
    const at = startOf(minute.at, HOUR_MS);
    const name = nameOf(minute, at);
    const hour = hours.get(name);
    if (hour) {
      hour.count += minute.count;
      hour.latency = hour.latency.map((count, bucket) => count + (minute.latency[bucket] ?? 0));
    } else hours.set(name, { ...minute, at });
  }
  return [...hours.values()];
}

function nameOf({ accountId, metric, route, sourceId, outcome }: TotalKey, at: number): string {
  return `${String(at)} ${accountId}${sourceId}${metric}${outcome} ${route}`;
}

function startOf(time: number, lengthMs: number): number {
  return time - (time % lengthMs);
}
