import { createParamDecorator, Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request } from 'express';
import type { ServerResponse } from 'node:http';
import type { Principal } from '../auth/principal.js';
import { Clock } from '../clock/clock.js';
import { countedInPlaceOf } from '../http/in-process-connection.js';
import { isUnlimited, limitsOf, PERSON_LIMITS } from './plan-limits.js';
import {
  rateLimitHeaders,
  rateLimitRefusal,
  tightest,
  unlimitedHeaders,
  windowStatuses,
  type Header,
} from './rate-limit-response.js';
import { RATE_LIMIT_STORAGE, type RateLimitStorage, type Take } from './rate-limit-storage.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** What the guard took from the account's windows for the request; missing where it took nothing. */
    rateLimitTake?: Take;
  }
}

/** The account's windows after this request was counted; `undefined` where it took nothing from them. */
export const CurrentTake = createParamDecorator(
  (_: unknown, context: ExecutionContext): Take | undefined =>
    context.switchToHttp().getRequest<Request>().rateLimitTake,
);

/**
 * Counts every request with an API key against its account's plan, and those of a person against a limit of that
 * person's own, whatever the answer will be, and refuses with 429 what is over a limit. It stands after the
 * authentication guard.
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

  /** Overrides: a request without a principal is on a public route. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(principalIn(context) === undefined);
  }

  /**
   * Overrides: the throttler counts each window by a call of its own, so a request refused by one would have consumed
   * the others; here all windows of the plan are one atomic step.
   */
  protected override async handleRequest({ context }: ThrottlerRequest): Promise<boolean> {
    const principal = principalIn(context);
    if (!principal) return true;
    const http = context.switchToHttp();
    const response = http.getResponse<ServerResponse>();
    // Whoever has signed in takes nothing from what the plan allows to keys.
    const isPerson = principal.kind === 'person';
    const limits = isPerson ? PERSON_LIMITS : limitsOf(principal.plan, principal.customLimits);
    if (isUnlimited(limits)) {
      setHeaders(response, unlimitedHeaders(this.clock.now().getTime()));
      return true;
    }
    const counted = isPerson ? principal.user.id : principal.accountId;
    const request = http.getRequest<Request>();
    // A tool of /mcp asks the API: that is one request, not two.
    const take =
      countedInPlaceOf(request)?.rateLimitTake ?? (await this.storage.take(counted, limits));
    if (!isPerson) request.rateLimitTake = take;
    const windows = windowStatuses(limits, take);
    const held = tightest(windows);
    if (held === undefined) return true;
    setHeaders(response, rateLimitHeaders(windows, held, take.now));
    if (!take.admitted) throw rateLimitRefusal(held, take.now, isPerson ? 'person' : 'account');
    return true;
  }
}

function principalIn(context: ExecutionContext): Principal | undefined {
  return context.switchToHttp().getRequest<Request>().principal;
}

function setHeaders(response: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}
