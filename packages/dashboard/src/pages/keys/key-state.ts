import type { components } from '../../api/v1-schema.js';

type ApiKey = components['schemas']['ApiKey'];

type KeyState = 'active' | 'expired' | 'revoked';

export function keyState({ revokedAt, expiresAt }: ApiKey, now: Date): KeyState {
  // A revocation is never in the future, because the overlap of a rotation is an expiry. Its time is not compared,
  // because the browser's clock may be behind the service's.
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'active';
}

/** Lines, spaces and commas separate addresses. */
export function addressesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}
