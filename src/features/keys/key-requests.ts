import { validTimestamp } from '../../platform/basics/clock/moment.js';
import { canonicalRange } from '../../platform/network/ip-networks.js';
import type { CreateKeyDto, PatchKeyDto } from './dto/write-key.dto.js';
import type { KeyPatch, NewKey } from './keys.service.js';

export function newKeyOf(body: CreateKeyDto): NewKey {
  const { name, scopes, limits, collections, serviceAccountId } = body;
  const [expiresAt, allowedIps] = [endOf(body.expiresAt), canonical(body.allowedIps)];
  return { name, scopes, expiresAt, allowedIps, limits, collections, serviceAccountId };
}

export function keyPatchOf(body: PatchKeyDto): KeyPatch {
  const { name, scopes, expiresAt, allowedIps, limits, collections } = body;
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes }),
    ...(expiresAt !== undefined && { expiresAt: endOf(expiresAt) }),
    ...(allowedIps !== undefined && { allowedIps: canonical(allowedIps) }),
    ...(limits !== undefined && { limits }),
    ...(collections !== undefined && { collections }),
  };
}

/** Returns the expiry; null if the key never expires. */
function endOf(text: string | null | undefined): Date | null {
  return typeof text === 'string' ? validTimestamp(text) : null;
}

/** Returns each range in its canonical spelling. An empty list allows all addresses. */
function canonical(ranges: readonly string[] | null | undefined): string[] {
  return (ranges ?? []).map((range) => canonicalRange(range) ?? range);
}
