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
      checks: { database: 'up', migrations: 'done', redis: this.redisState() },
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

  private redisState(): ReadinessReport['checks']['redis'] {
    if (this.redis === null) return 'not configured';
    return this.redis.status === 'ready' ? 'up' : 'away';
  }
}

function notReady(check: string, message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { check }, { cause, retryAfterSeconds: 2 });
}
