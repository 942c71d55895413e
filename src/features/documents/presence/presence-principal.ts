import type { KeyPrincipal, PersonPrincipal, Principal } from '../../auth/principal.js';

/** A principal that can be present: a signed-in person in all their tabs and browsers, or an API key. */
export type PresencePrincipal = KeyPrincipal | PersonPrincipal;

/** Narrows the principal of a request. Throws for the service itself, which sends no requests. */
export function asPresent(principal: Principal): PresencePrincipal {
  if (principal.kind === 'system') throw new Error('The service itself cannot be present.');
  return principal;
}

export function principalIdOf(principal: PresencePrincipal): string {
  return keyIdOf(principal) ?? principal.user.id;
}

export function keyIdOf(principal: PresencePrincipal): string | null {
  return principal.kind === 'key' ? principal.keyId : null;
}
