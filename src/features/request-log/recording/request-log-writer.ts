import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Poller } from '../../../platform/background/poller.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import { Log } from '../../../platform/operation/log.js';
import type { LoggedRequest } from './logged-request.js';
import { RequestSecond, Unlogged, type RequestBatch } from './request-batch.js';
import { RequestsRepository } from '../requests.repository.js';

const SECOND_MS = 1_000;
/** Seconds of requests that can wait while the database is unavailable. Beyond that, the oldest second is dropped. */
const MAX_WAITING = 30;

/** Writes finished requests to the log in the background, one statement per second. */
@Injectable()
export class RequestLogWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly second = new RequestSecond();
  private readonly waiting: RequestBatch[] = [];
  /** Dropped requests, to be counted with the next batch. */
  private dropped = new Unlogged();
  private writing: Promise<boolean> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly poller = new Poller({
    everyMs: SECOND_MS,
    work: () => this.writeNext(),
    onFailure: (error) => {
      this.log.warn(
        { err: error },
        'Requests wait to be logged until the database is available again.',
      );
    },
  });

  constructor(
    private readonly requests: RequestsRepository,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.poller.start();
    this.timer = setInterval(() => {
      this.endSecond();
    }, SECOND_MS);
    this.timer.unref();
  }

  /** Runs after the last request has finished and before the database connection closes. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.poller.stop();
    await this.write().catch((error: unknown) => {
      this.log.warn({ err: error }, 'The last requests could not be logged.');
    });
  }

  add(request: LoggedRequest): void {
    this.second.add(request);
  }

  /** Writes all finished requests. If it rejects with a pg error, a later call writes the rest. */
  async write(): Promise<void> {
    this.endSecond();
    while (await this.writeNext());
  }

  private endSecond(): void {
    const batch = this.second.take();
    if (!batch) return;
    batch.unlogged.addAll(this.dropped);
    this.dropped = new Unlogged();
    this.waiting.push(batch);
    // The first batch may be in flight.
    if (this.waiting.length > MAX_WAITING) this.drop(this.waiting.splice(1, 1));
    this.poller.wake();
  }

  /** Returns true if there is more to write. Concurrent calls share the batch in flight. */
  private writeNext(): Promise<boolean> {
    this.writing ??= this.writeBatch().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async writeBatch(): Promise<boolean> {
    const [batch] = this.waiting;
    if (!batch) return false;
    try {
      await this.requests.insert(batch);
    } catch (error) {
      if (asUnavailable(error)) throw error;
      this.log.error(
        { err: error },
        'The database rejected a batch of requests, which are not logged.',
      );
      this.drop([batch]);
    }
    this.waiting.shift();
    return this.waiting.length > 0;
  }

  private drop(batches: readonly RequestBatch[]): void {
    for (const { rows, unlogged } of batches) {
      for (const row of rows) this.dropped.add(row, 'outage');
      this.dropped.addAll(unlogged);
    }
  }
}
