import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { within } from '../../platform/basics/clock/time-limit.js';
import { pendingMigrations } from '../../platform/database/migrations.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { Drain } from '../../platform/http/server/drain.js';

export interface ReadinessReport {
  status: 'ready';
  checks: {
    database: 'up';
    migrations: 'done';
    /** Always `not configured`, for clients of releases that could count requests in Redis. */
    redis: 'up' | 'down' | 'not configured';
  };
}

const DATABASE_TIMEOUT_MS = 2_000;

/** The tables used by every request and document change, opened without reading a row. */
const OPEN_TABLES = `SELECT FROM accounts, users, api_keys, rate_limit_windows, documents, document_versions, events, row_counts
  LIMIT 0`;

export const TABLES_ARE_LOCKED =
  'The tables could not be read within 2 seconds: something locks them, or no connection is free.';

/** Checks whether this process can serve requests. */
@Injectable()
export class ReadinessService {
  private running: Promise<string[]> | undefined;

  constructor(
    private readonly drain: Drain,
    private readonly dataSource: DataSource,
  ) {}

  /** Throws `unavailable` with the failed check. */
  async check(): Promise<ReadinessReport> {
    if (this.drain.isDraining) throw notReady('shutdown', 'The service is shutting down.');
    const pending = await this.pendingMigrations();
    if (pending.length > 0) {
      throw notReady(
        'migrations',
        `Migrations are pending: ${pending.join(', ')}. Run: npm run -s cli -- migrate`,
      );
    }
    return {
      status: 'ready',
      checks: { database: 'up', migrations: 'done', redis: 'not configured' },
    };
  }

  private async pendingMigrations(): Promise<string[]> {
    // Run one check at a time, so that checks cannot use up the connections.
    this.running ??= this.readTables().finally(() => (this.running = undefined));
    return within(DATABASE_TIMEOUT_MS, this.running, tablesAreLocked).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      throw notReady('database', 'The database does not respond.', error);
    });
  }

  /** Reads the tables through the pool that requests use. */
  private async readTables(): Promise<string[]> {
    const pending = await pendingMigrations(this.dataSource);
    if (pending.length === 0) await this.dataSource.query(OPEN_TABLES);
    return pending;
  }
}

function tablesAreLocked(): AppError {
  return notReady('database', TABLES_ARE_LOCKED);
}

function notReady(check: string, message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { check }, { cause, retryAfterSeconds: 2 });
}
