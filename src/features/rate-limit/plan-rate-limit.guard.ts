import { createHash } from 'node:crypto';
import {
  createParamDecorator,
  Inject,
  Injectable,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
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
import { REQUIRED_SCOPE } from '../auth/authentication.js';
import type { WindowLimits } from '../auth/plan.js';
import type { PersonPrincipal, Principal } from '../auth/principal.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { countedInPlaceOf } from '../../platform/http/server/in-process-connection.js';
import { changeLimitsOf, isUnlimited, limitsOf, PERSON_LIMITS } from './plan-limits.js';
import {
  changesRefusal,
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
    /** The guard's result for this request; missing if it counted nothing. */
    rateLimitTake?: Take;
    /** Set for a person on a route that {@link CountsItsChanges}. Takes all `count` changes or throws `rate_limited`. */
    takeChanges?: (count: number) => Promise<void>;
  }
}

/** Injects the account's windows after this request; `undefined` if it was not counted. */
export const CurrentTake = createParamDecorator(
  (_: unknown, context: ExecutionContext): Take | undefined =>
    context.switchToHttp().getRequest<Request>().rateLimitTake,
);

const COUNTS_ITS_CHANGES = 'counts-its-changes';

/** Marks a route whose requests make many changes. Its handler calls `request.takeChanges` before making them. */
export const CountsItsChanges = () => SetMetadata(COUNTS_ITS_CHANGES, true);

/**
 * Counts every request of an API key against its account's plan, regardless of the outcome, and refuses those over a
 * limit with 429. People have their own limits: one by plan for changes, and one for everything else. Runs after the
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

  /** Skips requests without a principal, which are on public routes. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(principalIn(context) === undefined);
  }

  /**
   * Counts all windows of the plan in one atomic step. The throttler would count each window separately, so a request
   * refused by one window would use up the others.
   */
  protected override async handleRequest({ context }: ThrottlerRequest): Promise<boolean> {
    const principal = principalIn(context);
    if (!principal) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<ServerResponse>();
    if (principal.kind === 'person') {
      // People do not use up the plan's requests, which are for keys.
      if (this.isChange(context, request)) await this.takeChanges(principal, response, 1);
      else {
        const take = await this.storage.take(principal.user.id, PERSON_LIMITS);
        admit(response, PERSON_LIMITS, take, 'person');
        request.takeChanges = (count) => this.takeChanges(principal, response, count);
      }
      return true;
    }
    await this.takeRequest(principal, request, response);
    return true;
  }

  /**
   * Counts a request against the plan of its account and sets the rate-limit headers. The guard does this for routes it
   * authenticates; a route that finds the key in the body calls it. Throws `rate_limited`.
   */
  async takeRequest(
    principal: Exclude<Principal, PersonPrincipal>,
    request: Request,
    response: ServerResponse,
  ): Promise<void> {
    const limits = limitsOf(principal.plan, principal.customLimits);
    if (isUnlimited(limits)) {
      setHeaders(response, unlimitedHeaders(this.clock.now().getTime()));
      return;
    }
    // A tool call at /mcp sends its own request to the API. Count the two as one.
    const take =
      countedInPlaceOf(request)?.rateLimitTake ??
      (await this.storage.take(principal.accountId, limits));
    request.rateLimitTake = take;
    admit(response, limits, take, 'account');
  }

  /** True except for reading and analyzing (some routes do this with POST), and for routes that count their own changes. */
  private isChange(context: ExecutionContext, { method }: Request): boolean {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(COUNTS_ITS_CHANGES, targets))
      return false;
    const scope = this.reflector.getAllAndOverride<string | undefined>(REQUIRED_SCOPE, targets);
    return scope === undefined || !/:(?:read|analyze)$/.test(scope);
  }

  /** Takes all of the changes or none. Concurrent requests can still use up the rest in between. */
  private async takeChanges(
    { accountId, user, plan }: PersonPrincipal,
    response: ServerResponse,
    count: number,
  ): Promise<void> {
    const limits = changeLimitsOf(plan);
    const bucket = changesOf(user.id, accountId);
    if (count > 1) {
      const look = await this.storage.look(bucket, limits);
      const windows = windowStatuses(limits, look);
      const limiting = tightest(windows);
      if (limiting && count > limiting.remaining) {
        setHeaders(response, rateLimitHeaders(windows, limiting, look.now));
        throw changesRefusal(count, limiting, look.now);
      }
    }
    const takes = await Promise.all(
      Array.from({ length: count }, () => this.storage.take(bucket, limits)),
    );
    const refused = takes.find(({ admitted }) => !admitted);
    const last = refused ?? takes.at(-1);
    if (last) admit(response, limits, last, 'person', 'changes');
  }
}

/** Returns the UUID under which the changes of a person in an account are counted. Windows are stored by UUID. */
function changesOf(userId: string, accountId: string): string {
  const digits = createHash('sha256').update(`changes ${userId} ${accountId}`).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** Sets the rate-limit headers. Throws `rate_limited` if the request was refused. */
function admit(
  response: ServerResponse,
  limits: WindowLimits,
  take: Take,
  whose: 'account' | 'person',
  what: 'requests' | 'changes' = 'requests',
): void {
  const windows = windowStatuses(limits, take);
  const limiting = tightest(windows);
  if (limiting === undefined) return;
  setHeaders(response, rateLimitHeaders(windows, limiting, take.now));
  if (!take.admitted) throw rateLimitRefusal(limiting, take.now, whose, what);
}

function principalIn(context: ExecutionContext): Principal | undefined {
  return context.switchToHttp().getRequest<Request>().principal;
}

function setHeaders(response: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}
