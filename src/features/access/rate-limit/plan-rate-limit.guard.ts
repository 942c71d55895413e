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
import { Clock } from '../../../platform/basics/clock/clock.js';
import { countedInPlaceOf } from '../../../platform/http/server/in-process-connection.js';
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
    /** What the guard took from the account's windows for the request; missing where it took nothing. */
    rateLimitTake?: Take;
    /** Set by the guard for a person on a route that {@link CountsItsChanges}. Takes all of so many changes or throws `rate_limited`. */
    takeChanges?: (count: number) => Promise<void>;
  }
}

/** The account's windows after this request was counted; `undefined` where it took nothing from them. */
export const CurrentTake = createParamDecorator(
  (_: unknown, context: ExecutionContext): Take | undefined =>
    context.switchToHttp().getRequest<Request>().rateLimitTake,
);

const COUNTS_ITS_CHANGES = 'counts-its-changes';

/** A route of which one request makes many changes: its handler calls `request.takeChanges` before it makes them. */
export const CountsItsChanges = () => SetMetadata(COUNTS_ITS_CHANGES, true);

/**
 * Counts every request with an API key against its account's plan, and those of a person against limits of that person's
 * own: one by plan for changes, and one for all other requests. Counts whatever the answer will be, and refuses with 429 what
 * is over a limit. It stands after the authentication guard.
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
    const request = http.getRequest<Request>();
    const response = http.getResponse<ServerResponse>();
    if (principal.kind === 'person') {
      // Whoever has signed in takes nothing from what the plan allows to keys.
      if (this.isChange(context, request)) await this.takeChanges(principal, response, 1);
      else {
        const take = await this.storage.take(principal.user.id, PERSON_LIMITS);
        admit(response, PERSON_LIMITS, take, 'person');
        request.takeChanges = (count) => this.takeChanges(principal, response, count);
      }
      return true;
    }
    const limits = limitsOf(principal.plan, principal.customLimits);
    if (isUnlimited(limits)) {
      setHeaders(response, unlimitedHeaders(this.clock.now().getTime()));
      return true;
    }
    // A tool of /mcp asks the API: that is one request, not two.
    const take =
      countedInPlaceOf(request)?.rateLimitTake ??
      (await this.storage.take(principal.accountId, limits));
    request.rateLimitTake = take;
    admit(response, limits, take, 'account');
    return true;
  }

  /** Everything but reading and analyzing, which some routes do by POST, and routes that count their changes. */
  private isChange(context: ExecutionContext, { method }: Request): boolean {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(COUNTS_ITS_CHANGES, targets))
      return false;
    const scope = this.reflector.getAllAndOverride<string | undefined>(REQUIRED_SCOPE, targets);
    return scope === undefined || !/:(?:read|analyze)$/.test(scope);
  }

  /** Takes all of them or, as far as nobody else takes some at the same moment, none. */
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
      const held = tightest(windows);
      if (held && count > held.remaining) {
        setHeaders(response, rateLimitHeaders(windows, held, look.now));
        throw changesRefusal(count, held, look.now);
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

/** Where the changes of a person in an account are counted: a UUID of both, because windows belong to UUIDs. */
function changesOf(userId: string, accountId: string): string {
  const digits = createHash('sha256').update(`changes ${userId} ${accountId}`).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** Sets the headers of the windows after a take. Throws `rate_limited` for one that was refused. */
function admit(
  response: ServerResponse,
  limits: WindowLimits,
  take: Take,
  whose: 'account' | 'person',
  what: 'requests' | 'changes' = 'requests',
): void {
  const windows = windowStatuses(limits, take);
  const held = tightest(windows);
  if (held === undefined) return;
  setHeaders(response, rateLimitHeaders(windows, held, take.now));
  if (!take.admitted) throw rateLimitRefusal(held, take.now, whose, what);
}

function principalIn(context: ExecutionContext): Principal | undefined {
  return context.switchToHttp().getRequest<Request>().principal;
}

function setHeaders(response: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}
