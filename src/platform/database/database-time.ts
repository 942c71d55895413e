import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { readDatabaseTime } from '../basics/clock/current-time.js';
import { Database, type Statement } from './database.js';

/**
 * Interval between two reads of the database time. In this time, the monotonic clocks of two machines drift apart by less
 * than 1 ms.
 */
const READ_EVERY_MS = 10_000;
/**
 * Interval between two comparisons of this machine's clock with its monotonic clock, which stops while the machine sleeps.
 */
const WATCH_EVERY_MS = 1_000;
/** A larger difference means that the clock was set, or that the machine slept. */
const STEP_MS = 500;

const READ: Statement = {
  name: 'database.read-time',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now',
};

/** Synchronizes the time of this process with the database's, before anything else starts. */
@Injectable()
export class DatabaseTime implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private readAt = -Infinity;
  private difference = 0;

  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    await this.read();
    this.timer = setInterval(() => {
      this.watch();
    }, WATCH_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private watch(): void {
    const hasStepped = Math.abs(Date.now() - performance.now() - this.difference) > STEP_MS;
    if (!hasStepped && performance.now() - this.readAt < READ_EVERY_MS) return;
    // While the database is unavailable, time follows the monotonic clock.
    this.read().catch(() => undefined);
  }

  private async read(): Promise<void> {
    this.readAt = performance.now();
    this.difference = Date.now() - this.readAt;
    await readDatabaseTime(async () => {
      const [row] = await this.database.run<{ now: number }>(READ, []);
      return row?.now ?? NaN;
    });
  }
}

export async function readTimeOf(dataSource: DataSource): Promise<void> {
  await readDatabaseTime(async () => {
    const [row] = await dataSource.query<{ now: number }[]>(READ.text);
    return row?.now ?? NaN;
  });
}
