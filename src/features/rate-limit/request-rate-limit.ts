import { createHash } from 'node:crypto';
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { REQUIRED_SCOPE } from '../auth/auth.decorators.js';
import { UNLIMITED_WINDOWS, type WindowLimits } from '../auth/plan.js';
import type { KeyPrincipal, PersonPrincipal, Principal } from '../auth/principal.js';
import { changeLimitsOf, limitsOf, PERSON_LIMITS } from './plan-limits.js';
import type { LimitOwner } from './rate-limit-response.js';
import type { Bucket, RateLimitResult, RateLimitUsage } from './rate-limit-storage.js';

/** Requests that count together, and whose they are. */
export interface OwnedBucket extends Bucket {
  of: LimitOwner;
}

/** A bucket, and its windows after a request. */
export type CountedBucket = OwnedBucket & RateLimitResult;

/** The limits that a request is counted against. */
export interface RateLimit {
  /** Never empty; the one with the limits of the plan comes first. */
  buckets: readonly [OwnedBucket, ...OwnedBucket[]];
  unit: 'requests' | 'changes';
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by {@link rateLimitIn}. */
    rateLimit?: RateLimit;
    /** The limits of the first bucket that `PlanRateLimitGuard` collects from the throttlers, without those it skips. */
    throttledWindows?: Partial<WindowLimits>;
    /** The limited buckets of an account, a key and a token after this request; missing if it counted nothing. */
    countedBuckets?: readonly CountedBucket[];
    /** Set for a person on a route that {@link CountsItsChanges}. Counts all `count` changes or throws `rate_limited`. */
    consumeChanges?: (count: number) => Promise<void>;
  }
}

/** Injects the account's windows after this request; `undefined` if it was not counted. */
export const CurrentRateLimitUsage = createParamDecorator(
  (_: unknown, context: ExecutionContext): RateLimitUsage | undefined =>
    context
      .switchToHttp()
      .getRequest<Request>()
      .countedBuckets?.find((bucket) => bucket.of === 'account'),
);

const COUNTS_ITS_CHANGES = 'counts-its-changes';

/** Marks a route whose requests make many changes. Its handler calls `request.consumeChanges` before making them. */
export const CountsItsChanges = () => SetMetadata(COUNTS_ITS_CHANGES, true);

const reflector = new Reflector();

/** Returns the limits that the request is counted against; `undefined` without a principal, which is on public routes. */
export function rateLimitIn(context: ExecutionContext): RateLimit | undefined {
  const request = context.switchToHttp().getRequest<Request>();
  const { principal } = request;
  if (!principal) return undefined;
  return (request.rateLimit ??= rateLimitOf(principal, context, request));
}

/** People do not use up the plan's requests, which are for keys. */
function rateLimitOf(principal: Principal, context: ExecutionContext, request: Request): RateLimit {
  if (principal.kind !== 'person') return keyRateLimit(principal);
  if (isChange(context, request)) return changeRateLimit(principal);
  const reading = { id: principal.user.id, limits: PERSON_LIMITS, of: 'person' } as const;
  return { buckets: [reading], unit: 'requests' };
}

/** Returns the limits of the account's plan on requests of all its keys, of the key, and of its token. */
export function keyRateLimit(principal: Exclude<Principal, PersonPrincipal>): RateLimit {
  const { accountId, plan, customLimits } = principal;
  const account: OwnedBucket = {
    id: accountId,
    limits: limitsOf(plan, customLimits),
    of: 'account',
  };
  const buckets: RateLimit['buckets'] =
    principal.kind === 'key' ? [account, ...ownBuckets(principal)] : [account];
  return { buckets, unit: 'requests' };
}

/** Returns the buckets of a key and of its token, if they have limits of their own. */
function ownBuckets({ keyId, limits, token }: KeyPrincipal): OwnedBucket[] {
  const buckets: OwnedBucket[] = [];
  if (limits) buckets.push({ id: keyId, limits, of: 'key' });
  if (token && token.minuteLimit !== null) {
    const minuteOnly = { ...UNLIMITED_WINDOWS, minute: token.minuteLimit };
    buckets.push({ id: token.id, limits: minuteOnly, of: 'token' });
  }
  return buckets;
}

/** Returns the limit on changes by a person in an account. */
export function changeRateLimit({ accountId, user, plan }: PersonPrincipal): RateLimit {
  const id = hashedUuid(`changes ${user.id} ${accountId}`);
  return { buckets: [{ id, limits: changeLimitsOf(plan), of: 'person' }], unit: 'changes' };
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
