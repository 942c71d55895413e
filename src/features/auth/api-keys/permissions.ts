import { isWithin } from '../../../platform/network/ip-networks.js';
import { WINDOWS, type WindowLimits } from '../plan.js';
import { grants, type Scope } from '../scopes.js';

/** The permissions of a key or of its creator: its scopes, expiry, allowed addresses and rate limits. */
export interface Permissions {
  scopes: readonly Scope[];
  /** `null` means never. */
  expiresAt: Date | null;
  /** Allowed addresses and CIDR ranges; empty allows all. */
  allowedIps: readonly string[];
  /** The key's own rate limits, in addition to its account's. `null` means none. */
  limits: WindowLimits | null;
}

const ALL_ADDRESSES = ['0.0.0.0/0', '::/0'];

/** The operator's permissions. */
export const UNLIMITED: Permissions = {
  scopes: ['*'],
  expiresAt: null,
  allowedIps: [],
  limits: null,
};

/** Returns the first restriction of `own` that `wanted` exceeds, or `undefined`. */
export function firstExcess(wanted: Permissions, own: Permissions): keyof Permissions | undefined {
  if (!wanted.scopes.every((scope) => grants(own.scopes, scope))) return 'scopes';
  if (own.expiresAt && (!wanted.expiresAt || wanted.expiresAt > own.expiresAt)) return 'expiresAt';
  if (!areWithin(wanted.allowedIps, own.allowedIps)) return 'allowedIps';
  if (!areWithinLimits(wanted.limits, own.limits)) return 'limits';
  return undefined;
}

function areWithin(wanted: readonly string[], own: readonly string[]): boolean {
  if (own.length === 0) return true;
  const ranges = wanted.length > 0 ? wanted : ALL_ADDRESSES;
  return ranges.every((range) => isWithin(range, own));
}

function areWithinLimits(wanted: WindowLimits | null, own: WindowLimits | null): boolean {
  return WINDOWS.every((window) => (wanted?.[window] ?? Infinity) <= (own?.[window] ?? Infinity));
}
