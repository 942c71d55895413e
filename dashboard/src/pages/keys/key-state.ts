import type { components } from '../../api/v1-schema.js';

type ApiKey = components['schemas']['ApiKey'];

export type KeyState = 'in force' | 'expired' | 'revoked';

export function keyState({ revokedAt, expiresAt }: ApiKey, now: Date): KeyState {
  if (revokedAt !== null && Date.parse(revokedAt) <= now.getTime()) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'in force';
}

/** Lines, spaces and commas divide addresses. */
export function addressesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}
