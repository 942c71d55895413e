import { Injectable } from '@nestjs/common';
import type { CountedBucket } from './request-rate-limit.js';

/** Follows the requests of keys that were counted. Called for every request, so it must return quickly and never throw. */
export interface RateLimitObserver {
  /** @param accountId UUID */
  onCounted(accountId: string, buckets: readonly CountedBucket[]): void;
}

/** The observers of counted requests. Features register theirs at startup. */
@Injectable()
export class RateLimitObservers {
  private readonly all: RateLimitObserver[] = [];

  register(observer: RateLimitObserver): void {
    this.all.push(observer);
  }

  notify(accountId: string, buckets: readonly CountedBucket[]): void {
    for (const observer of this.all) observer.onCounted(accountId, buckets);
  }
}
