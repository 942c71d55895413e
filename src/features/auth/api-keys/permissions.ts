import { isWithin } from '../../../platform/network/ip-networks.js';
import { WINDOWS, type WindowLimits } from '../plan.js';
import { grants, type Scope } from '../scopes.js';

/** The permissions of a key or of its creator: its scopes, expiry, allowed addresses, rate limits and collections. */
export interface Permissions {
  scopes: readonly Scope[];
  /** `null` means never. */
  expiresAt: Date | null;
  /** Allowed addresses and CIDR ranges; empty allows all. */
  allowedIps: readonly string[];
  /** The key's own rate limits, in addition to its account's. `null` means none. */
  limits: WindowLimits | null;
  /** UUIDs of the collections that it is limited to, with all below them. `null`: no limit. Empty: nothing. */
  collections: readonly string[] | null;
}

const ALL_ADDRESSES = ['0.0.0.0/0', '::/0'];

/** The operator's permissions. */
export const UNLIMITED: Permissions = {
  scopes: ['*'],
  expiresAt: null,
  allowedIps: [],
  limits: null,
  collections: null,
};

/** Returns the first restriction of `own` that `wanted` exceeds, or `undefined`. */
export function firstExcess(wanted: Permissions, own: Permissions): keyof Permissions | undefined {
  if (!wanted.scopes.every((scope) => grants(own.scopes, scope))) return 'scopes';
  if (own.expiresAt && (!wanted.expiresAt || wanted.expiresAt > own.expiresAt)) return 'expiresAt';
  if (!areWithin(wanted.allowedIps, own.allowedIps)) return 'allowedIps';
  if (!areWithinLimits(wanted.limits, own.limits)) return 'limits';
  if (!areWithinCollections(wanted.collections, own.collections)) return 'collections';
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

/** A collection below one of `own` is not within it here: it can be moved away. */
function areWithinCollections(
  wanted: readonly string[] | null,
  own: readonly string[] | null,
): boolean {
  return own === null || (wanted?.every((id) => own.includes(id)) ?? false);
}
