import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import type { Request } from 'express';
import type { ServerResponse } from 'node:http';
import {
  isUnlimited,
  UNLIMITED_WINDOWS,
  WINDOWS,
  type Window,
  type WindowLimits,
} from '../auth/plan.js';
import type { PersonPrincipal, Principal } from '../auth/principal.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { countedInPlaceOf } from '../../platform/http/server/in-process-connection.js';
import {
  changesRefusal,
  rateLimitHeaders,
  rateLimitRefusal,
  tightest,
  unlimitedHeaders,
  windowStatuses,
  type Header,
} from './rate-limit-response.js';
import { RateLimitObservers } from './rate-limit-observers.js';
import { RateLimitStorage } from './rate-limit-storage.js';
import {
  changeRateLimit,
  keyRateLimit,
  rateLimitIn,
  type CountedBucket,
  type OwnedBucket,
  type RateLimit,
} from './request-rate-limit.js';

/**
 * Counts every request of an API key against its account's plan and the limits of the key and its token, regardless of
 * the outcome, and refuses those over a limit with 429. People have their own limits: one by plan for changes, and one
 * for everything else. Runs after the authentication guard.
 *
 * `ThrottlerGuard` would count each window separately, so a request refused by one window would use up the others. This
 * guard only collects the limits of the plan from it, and then counts all windows of all buckets in one atomic step.
 */
@Injectable()
export class PlanRateLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() protected override readonly storageService: RateLimitStorage,
    reflector: Reflector,
    private readonly clock: Clock,
    private readonly observers: RateLimitObservers,
  ) {
    super(options, storageService, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const rateLimit = rateLimitIn(context);
    const { throttledWindows: throttled, principal } = request;
    if (!rateLimit || !throttled) return true;
    const response = http.getResponse<ServerResponse>();
    await this.consume(throttledLimit(rateLimit, throttled), request, response);
    if (principal?.kind === 'person' && rateLimit.unit === 'requests') {
      request.consumeChanges = (count) => this.consumeChanges(principal, response, count);
    }
    return true;
  }

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(rateLimitIn(context) === undefined);
  }

  protected override handleRequest({
    context,
    throttler,
    limit,
  }: ThrottlerRequest): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    request.throttledWindows ??= {};
    request.throttledWindows[throttler.name as Window] = Number.isFinite(limit) ? limit : null;
    return Promise.resolve(true);
  }

  /**
   * Counts a request against the limits of its account, key and token, for a route that finds the key in the body. The
   * guard does this for the routes it authenticates. Throws `rate_limited`.
   */
  consumeRequest(
    principal: Exclude<Principal, PersonPrincipal>,
    request: Request,
    response: ServerResponse,
  ): Promise<void> {
    return this.consume(keyRateLimit(principal), request, response);
  }

  private async consume(
    { buckets, unit }: RateLimit,
    request: Request,
    response: ServerResponse,
  ): Promise<void> {
    const limited = buckets.filter(({ limits }) => !isUnlimited(limits));
    if (limited.length === 0) {
      setHeaders(response, unlimitedHeaders(this.clock.now().getTime()));
      return;
    }
    // A tool call at /mcp sends its own request to the API. Count the two as one.
    const counted = countedInPlaceOf(request)?.countedBuckets ?? (await this.count(limited));
    const [{ id: accountId, of }] = buckets;
    if (of !== 'person') {
      request.countedBuckets = counted;
      this.observers.notify(accountId, counted);
    }
    admit(response, counted, unit);
  }

  private async count(buckets: readonly OwnedBucket[]): Promise<CountedBucket[]> {
    const results = await this.storageService.consumeAll(buckets);
    return results.flatMap((result, index) => {
      const bucket = buckets[index];
      return bucket ? [{ ...bucket, ...result }] : [];
    });
  }

  /** Counts all of the changes or none. Concurrent requests can still use up the rest in between. */
  private async consumeChanges(
    principal: PersonPrincipal,
    response: ServerResponse,
    count: number,
  ): Promise<void> {
    const [bucket] = changeRateLimit(principal).buckets;
    const { id, limits } = bucket;
    if (count > 1) {
      const usage = await this.storageService.currentUsage(id, limits);
      const windows = windowStatuses(bucket, usage);
      const limiting = tightest(windows);
      if (limiting && count > limiting.remaining) {
        setHeaders(response, rateLimitHeaders(windows, limiting, usage.now));
        throw changesRefusal(count, limiting, usage.now);
      }
    }
    const results = await Promise.all(
      Array.from({ length: count }, () => this.storageService.consume(id, limits)),
    );
    const refused = results.find(({ admitted }) => !admitted);
    const last = refused ?? results.at(-1);
    if (last) admit(response, [{ ...bucket, ...last }], 'changes');
  }
}

/** Returns the limit without the windows that the throttlers skip. The first bucket has the limits that they resolved. */
function throttledLimit(
  { buckets: [first, ...others], unit }: RateLimit,
  throttled: Partial<WindowLimits>,
): RateLimit {
  const isThrottled = (window: Window) => throttled[window] !== undefined;
  const withoutSkipped = ({ limits, ...bucket }: OwnedBucket): OwnedBucket => ({
    ...bucket,
    limits: {
      ...UNLIMITED_WINDOWS,
      ...Object.fromEntries(WINDOWS.filter(isThrottled).map((window) => [window, limits[window]])),
    },
  });
  const limits = { ...UNLIMITED_WINDOWS, ...throttled };
  return { buckets: [{ ...first, limits }, ...others.map(withoutSkipped)], unit };
}

/** Sets the rate-limit headers. Throws `rate_limited` if the request was refused. */
function admit(
  response: ServerResponse,
  counted: readonly CountedBucket[],
  unit: RateLimit['unit'],
): void {
  const windows = counted.flatMap((bucket) => windowStatuses(bucket, bucket));
  const limiting = tightest(windows);
  const [first] = counted;
  if (first === undefined || limiting === undefined) return;
  setHeaders(response, rateLimitHeaders(windows, limiting, first.now));
  if (!first.admitted) throw rateLimitRefusal(limiting, first.now, unit);
}

function setHeaders(response: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}
