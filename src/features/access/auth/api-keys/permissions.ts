import { isWithin } from '../../../../platform/network/ip-networks.js';
import { grants, type Scope } from '../scopes.js';

/** What a key, or whoever makes keys, may do: which scopes, until when, and from where. */
export interface Permissions {
  scopes: readonly Scope[];
  /** `null`: they never end. */
  expiresAt: Date | null;
  /** Addresses and CIDR ranges they hold for; empty allows all. */
  allowedIps: readonly string[];
}

const ALL_ADDRESSES = ['0.0.0.0/0', '::/0'];

/** The operator's, who stands above every key. */
export const UNLIMITED: Permissions = { scopes: ['*'], expiresAt: null, allowedIps: [] };

/** The first restriction of `own` that `wanted` goes beyond; `undefined` when it exceeds none. */
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
