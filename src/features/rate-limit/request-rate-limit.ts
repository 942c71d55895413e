import { createHash } from 'node:crypto';
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { REQUIRED_SCOPE } from '../auth/auth.decorators.js';
import type { WindowLimits } from '../auth/plan.js';
import type { PersonPrincipal, Principal } from '../auth/principal.js';
import { changeLimitsOf, limitsOf, PERSON_LIMITS } from './plan-limits.js';
import type { RateLimitResult, RateLimitUsage } from './rate-limit-storage.js';

/** The limit that a request is counted against. */
export interface RateLimit {
  /** UUID under which the windows are stored. */
  bucket: string;
  limits: WindowLimits;
  /** Whose limit it is, for messages. */
  owner: 'account' | 'person';
  unit: 'requests' | 'changes';
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by {@link rateLimitIn}. */
    rateLimit?: RateLimit;
    /** The limits that `PlanRateLimitGuard` collects from the throttlers; missing if it skips them all. */
    throttledWindows?: WindowLimits;
    /** The account's windows after this request; missing if it counted nothing. */
    rateLimitResult?: RateLimitResult;
    /** Set for a person on a route that {@link CountsItsChanges}. Counts all `count` changes or throws `rate_limited`. */
    consumeChanges?: (count: number) => Promise<void>;
  }
}

/** Injects the account's windows after this request; `undefined` if it was not counted. */
export const CurrentRateLimitUsage = createParamDecorator(
  (_: unknown, context: ExecutionContext): RateLimitUsage | undefined =>
    context.switchToHttp().getRequest<Request>().rateLimitResult,
);

const COUNTS_ITS_CHANGES = 'counts-its-changes';

/** Marks a route whose requests make many changes. Its handler calls `request.consumeChanges` before making them. */
export const CountsItsChanges = () => SetMetadata(COUNTS_ITS_CHANGES, true);

const reflector = new Reflector();

/** Returns what the request is counted against; `undefined` without a principal, which is on public routes. */
export function rateLimitIn(context: ExecutionContext): RateLimit | undefined {
  const request = context.switchToHttp().getRequest<Request>();
  const { principal } = request;
  if (!principal) return undefined;
  return (request.rateLimit ??= rateLimitOf(principal, context, request));
}

/** People do not use up the plan's requests, which are for keys. */
function rateLimitOf(principal: Principal, context: ExecutionContext, request: Request): RateLimit {
  if (principal.kind !== 'person') return accountRateLimit(principal);
  if (isChange(context, request)) return changeRateLimit(principal);
  return {
    bucket: principal.user.id,
    limits: PERSON_LIMITS,
    owner: 'person',
    unit: 'requests',
  };
}

/** Returns the limit of the account's plan on requests of all its keys. */
export function accountRateLimit({
  accountId,
  plan,
  customLimits,
}: Exclude<Principal, PersonPrincipal>): RateLimit {
  return {
    bucket: accountId,
    limits: limitsOf(plan, customLimits),
    owner: 'account',
    unit: 'requests',
  };
}

/** Returns the limit on changes by a person in an account. */
export function changeRateLimit({ accountId, user, plan }: PersonPrincipal): RateLimit {
  return {
    bucket: hashedUuid(`changes ${user.id} ${accountId}`),
    limits: changeLimitsOf(plan),
    owner: 'person',
    unit: 'changes',
  };
}

/** Returns a UUID made from text, because windows are stored by UUID. */
export function hashedUuid(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** True except for reading and analyzing (some routes do this with POST), and for routes that count their own changes. */
function isChange(context: ExecutionContext, { method }: Request): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  const targets = [context.getHandler(), context.getClass()];
  if (reflector.getAllAndOverride<boolean | undefined>(COUNTS_ITS_CHANGES, targets)) return false;
  const scope = reflector.getAllAndOverride<string | undefined>(REQUIRED_SCOPE, targets);
  return scope === undefined || !/:(?:read|analyze)$/.test(scope);
}
