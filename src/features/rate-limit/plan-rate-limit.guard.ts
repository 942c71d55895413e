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
import { isUnlimited, UNLIMITED_WINDOWS, type Window } from '../auth/plan.js';
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
import { RateLimitStorage, type RateLimitResult } from './rate-limit-storage.js';
import {
  accountRateLimit,
  changeRateLimit,
  rateLimitIn,
  type RateLimit,
} from './request-rate-limit.js';

/**
 * Counts every request of an API key against its account's plan, regardless of the outcome, and refuses those over a
 * limit with 429. People have their own limits: one by plan for changes, and one for everything else. Runs after the
 * authentication guard.
 *
 * `ThrottlerGuard` would count each window separately, so a request refused by one window would use up the others. This
 * guard only collects the limits from it, and then counts all windows in one atomic step.
 */
@Injectable()
export class PlanRateLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() protected override readonly storageService: RateLimitStorage,
    reflector: Reflector,
    private readonly clock: Clock,
  ) {
    super(options, storageService, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const rateLimit = rateLimitIn(context);
    const { throttledWindows: limits, principal } = request;
    if (!rateLimit || !limits) return true;
    const response = http.getResponse<ServerResponse>();
    await this.consume({ ...rateLimit, limits }, request, response);
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
    request.throttledWindows ??= { ...UNLIMITED_WINDOWS };
    request.throttledWindows[throttler.name as Window] = Number.isFinite(limit) ? limit : null;
    return Promise.resolve(true);
  }

  /**
   * Counts a request against the plan of its account, for a route that finds the key in the body. The guard does this for
   * the routes it authenticates. Throws `rate_limited`.
   */
  consumeRequest(
    principal: Exclude<Principal, PersonPrincipal>,
    request: Request,
    response: ServerResponse,
  ): Promise<void> {
    return this.consume(accountRateLimit(principal), request, response);
  }

  private async consume(
    rateLimit: RateLimit,
    request: Request,
    response: ServerResponse,
  ): Promise<void> {
    const { bucket, limits, owner } = rateLimit;
    if (isUnlimited(limits)) {
      setHeaders(response, unlimitedHeaders(this.clock.now().getTime()));
      return;
    }
    // A tool call at /mcp sends its own request to the API. Count the two as one.
    const result =
      countedInPlaceOf(request)?.rateLimitResult ??
      (await this.storageService.consume(bucket, limits));
    if (owner === 'account') request.rateLimitResult = result;
    admit(response, rateLimit, result);
  }

  /** Counts all of the changes or none. Concurrent requests can still use up the rest in between. */
  private async consumeChanges(
    principal: PersonPrincipal,
    response: ServerResponse,
    count: number,
  ): Promise<void> {
    const rateLimit = changeRateLimit(principal);
    const { bucket, limits } = rateLimit;
    if (count > 1) {
      const usage = await this.storageService.currentUsage(bucket, limits);
      const windows = windowStatuses(limits, usage);
      const limiting = tightest(windows);
      if (limiting && count > limiting.remaining) {
        setHeaders(response, rateLimitHeaders(windows, limiting, usage.now));
        throw changesRefusal(count, limiting, usage.now);
      }
    }
    const results = await Promise.all(
      Array.from({ length: count }, () => this.storageService.consume(bucket, limits)),
    );
    const refused = results.find(({ admitted }) => !admitted);
    const last = refused ?? results.at(-1);
    if (last) admit(response, rateLimit, last);
  }
}

/** Sets the rate-limit headers. Throws `rate_limited` if the request was refused. */
function admit(
  response: ServerResponse,
  { limits, owner, unit }: RateLimit,
  result: RateLimitResult,
): void {
  const windows = windowStatuses(limits, result);
  const limiting = tightest(windows);
  if (limiting === undefined) return;
  setHeaders(response, rateLimitHeaders(windows, limiting, result.now));
  if (!result.admitted) throw rateLimitRefusal(limiting, result.now, owner, unit);
}

function setHeaders(response: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}
