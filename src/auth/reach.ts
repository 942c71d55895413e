import { isWithin } from '../network/ip-networks.js';
import { grants, type Scope } from './scopes.js';

/** How far a key reaches: what it may do, until when, and from where. */
export interface Reach {
  scopes: readonly Scope[];
  /** `null`: it never ends. */
  expiresAt: Date | null;
  /** Addresses and CIDR ranges it may be used from; empty allows all. */
  allowedIps: readonly string[];
}

const ALL_ADDRESSES = ['0.0.0.0/0', '::/0'];

/** Of the operator, who stands above every key. */
export const UNLIMITED: Reach = { scopes: ['*'], expiresAt: null, allowedIps: [] };

/** The first restriction of `own` that `wanted` goes beyond; `undefined` when it reaches no further. */
export function firstExcess(wanted: Reach, own: Reach): keyof Reach | undefined {
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
