import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Log } from '../../../platform/operation/log.js';
import { ApiKeyEntity } from '../../auth/entities/api-key.entity.js';
import {
  RateLimitObservers,
  type RateLimitObserver,
} from '../../rate-limit/rate-limit-observers.js';
import type { CountedBucket } from '../../rate-limit/request-rate-limit.js';
import { reachedThresholds, ThresholdsService } from './thresholds.service.js';

/** Maximum number of remembered thresholds. Without them, requests above a threshold would each send a statement. */
const MAX_REMEMBERED = 50_000;

/**
 * Reports thresholds of the hourly and daily request limits of accounts and keys. Compares every request, not only the one
 * that reaches a threshold, so an event that could not be written is written with the next request.
 */
@Injectable()
export class RequestThresholds implements RateLimitObserver {
  /** The ends of the last windows whose thresholds this process has reported, by bucket, window and threshold. */
  private readonly reported = new Map<string, number>();

  constructor(
    observers: RateLimitObservers,
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly thresholds: ThresholdsService,
    private readonly log: Log,
  ) {
    observers.register(this);
  }

  onCounted(accountId: string, buckets: readonly CountedBucket[]): void {
    for (const bucket of buckets) {
      this.compare(accountId, bucket, 'hour');
      this.compare(accountId, bucket, 'day');
    }
  }

  private compare(accountId: string, bucket: CountedBucket, window: 'hour' | 'day'): void {
    const of = bucket.limits[window];
    const { used, resetAt } = bucket.windows[window];
    // A limit of 0 is reached without any request.
    if (of === null || of === 0) return;
    for (const threshold of reachedThresholds({ used, of })) {
      const name = `${bucket.id} ${window} ${String(threshold)}`;
      if (this.reported.get(name) === resetAt) continue;
      if (this.reported.size >= MAX_REMEMBERED) this.reported.clear();
      this.reported.set(name, resetAt);
      const report = async () => {
        const key = bucket.of === 'key' ? await this.keys.findOneBy({ id: bucket.id }) : null;
        const use = { limit: 'requests', window, used, of, resetAt: new Date(resetAt) } as const;
        await this.thresholds.emit(threshold, { accountId, key, ...use });
      };
      report().catch((error: unknown) => {
        this.reported.delete(name);
        this.log.warn({ err: error }, 'A threshold of a limit could not be reported.');
      });
    }
  }
}
