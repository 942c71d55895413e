import type { components } from '../../api/v1-schema.js';

type ApiKey = components['schemas']['ApiKey'];

type KeyState = 'active' | 'expired' | 'revoked';

export function keyState({ revokedAt, expiresAt }: ApiKey, now: Date): KeyState {
  // Never to come: an overlap is an expiry. The reader's clock may be behind the service's.
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'active';
}

/** Lines, spaces and commas divide addresses. */
export function addressesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}
