import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { THROTTLER_SKIP } from '@nestjs/throttler/dist/throttler.constants.js';
import type { Request } from 'express';
import type { ServerResponse } from 'node:http';
import type { WindowLimits } from '../auth/plan.js';
import { Clock } from '../clock/clock.js';
import { isUnlimited, limitsOf } from './plan-limits.js';
import { rateLimitHeaders, unlimitedHeaders, type Header } from './rate-limit-headers.js';
import { rateLimitRefusal } from './rate-limit-refusal.js';
import { RATE_LIMIT_STORAGE, type RateLimitStorage, type Take } from './rate-limit-storage.js';
import { standings, tightest } from './window-standing.js';

/**
 * Counts every authenticated request against its account's plan, whatever the answer will be, and refuses with 429
 * what is over a limit. It stands after the bearer-key guard; a request without a principal is on a public route.
 *
 * The throttler's own `canActivate` makes one storage call a window, and a refused request has already consumed the
 * others; here all windows are one call.
 */
@Injectable()
export class PlanRateLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() throttlerStorage: ThrottlerStorage,
    reflector: Reflector,
    @Inject(RATE_LIMIT_STORAGE) private readonly storage: RateLimitStorage,
    private readonly clock: Clock,
  ) {
    super(options, throttlerStorage, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { principal } = request;
    if (principal === undefined || (await this.shouldSkip(context))) return true;
    const limits = limitsOf(principal.plan, principal.customLimits);
    const response = http.getResponse<ServerResponse>();
    if (isUnlimited(limits)) setHeaders(response, unlimitedHeaders(this.clock.now().getTime()));
    else {
      const take = await this.takeOrRefuse(principal.accountId, limits, response);
      request.rateLimitTake = take;
    }
    return true;
  }

  /** Whether the route or its controller carries `@SkipThrottle()`. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    const skip = this.reflector.getAllAndOverride<boolean | undefined>(`${THROTTLER_SKIP}default`, [
      context.getHandler(),
      context.getClass(),
    ]);
    return Promise.resolve(skip === true);
  }

  private async takeOrRefuse(
    accountId: string,
    limits: WindowLimits,
    response: ServerResponse,
  ): Promise<Take> {
    const take = await this.storage.take(accountId, limits);
    const limited = standings(limits, take);
    const held = tightest(limited);
    if (held === undefined) return take;
    setHeaders(response, rateLimitHeaders(limited, held, take.now));
    if (!take.admitted) throw rateLimitRefusal(held, take.now);
    return take;
  }
}

function setHeaders(response: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}
