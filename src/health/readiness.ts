import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { migrationStatus } from '../database/migrations.js';
import { AppError } from '../errors/app-error.js';
import { Drain } from '../http/drain.js';
import { REDIS_CLIENT } from '../rate-limit/redis-client.js';

export interface ReadinessReport {
  status: 'ready';
  checks: {
    database: 'up';
    migrations: 'done';
    /** `away` does not make the service unready: limits are counted in PostgreSQL meanwhile. */
    redis: 'up' | 'away' | 'not configured';
  };
}

const REDIS_PATIENCE_MS = 250;

/** Whether this process can serve requests now. */
@Injectable()
export class Readiness {
  constructor(
    private readonly drain: Drain,
    private readonly dataSource: DataSource,
    @Inject(REDIS_CLIENT) private readonly redis: Redis | null,
  ) {}

  /** Throws `unavailable` with the failed check. */
  async check(): Promise<ReadinessReport> {
    if (this.drain.begun) throw notReady('shutdown', 'The service is shutting down.');
    const pending = await this.pendingMigrations();
    if (pending.length > 0) {
      throw notReady(
        'migrations',
        `Migrations are pending: ${pending.join(', ')}. Run: npm run -s cli -- migrate`,
      );
    }
    return {
      status: 'ready',
      checks: { database: 'up', migrations: 'done', redis: await this.redisState() },
    };
  }

  private async pendingMigrations(): Promise<string[]> {
    try {
      const states = await migrationStatus(this.dataSource);
      return states.filter(({ applied }) => !applied).map(({ name }) => name);
    } catch (error) {
      throw notReady('database', 'The database does not answer.', error);
    }
  }

  /** Asks Redis itself: a connection that is open may lead to a server that hangs. */
  private async redisState(): Promise<ReadinessReport['checks']['redis']> {
    if (this.redis === null) return 'not configured';
    const patience = new AbortController();
    const silence = wait(REDIS_PATIENCE_MS, 'away' as const, { signal: patience.signal });
    const answer = this.redis.ping().then(
      () => 'up' as const,
      () => 'away' as const,
    );
    const state = await Promise.race([answer, silence]);
    patience.abort();
    silence.catch(() => undefined);
    return state;
  }
}

function notReady(check: string, message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { check }, { cause, retryAfterSeconds: 2 });
}
