import { isWithin } from '../../../platform/network/ip-networks.js';
import { grants, type Scope } from '../scopes.js';

/** The permissions of a key or of its creator: its scopes, expiry and allowed addresses. */
export interface Permissions {
  scopes: readonly Scope[];
  /** `null` means never. */
  expiresAt: Date | null;
  /** Allowed addresses and CIDR ranges; empty allows all. */
  allowedIps: readonly string[];
}

const ALL_ADDRESSES = ['0.0.0.0/0', '::/0'];

/** The operator's permissions. */
export const UNLIMITED: Permissions = { scopes: ['*'], expiresAt: null, allowedIps: [] };

/** Returns the first restriction of `own` that `wanted` exceeds, or `undefined`. */
export function firstExcess(wanted: Permissions, own: Permissions): keyof Permissions | undefined {
  if (!wanted.scopes.every((scope) => grants(own.scopes, scope))) return 'scopes';
  if (own.expiresAt && (!wanted.expiresAt || wanted.expiresAt > own.expiresAt)) return 'expiresAt';
  if (!areWithin(wanted.allowedIps, own.allowedIps)) return 'allowedIps';
  return undefined;
}

function areWithin(wanted: readonly string[], own: readonly string[]): boolean {
  if (own.length === 0) return true;
  const ranges = wanted.length > 0 ? wanted : ALL_ADDRESSES;
  return ranges.every((range) => isWithin(range, own));
}
