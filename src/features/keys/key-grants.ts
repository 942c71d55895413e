import { firstExcess, type Permissions } from '../auth/api-keys/permissions.js';
import { AppError, invalidFields } from '../../platform/basics/errors/app-error.js';
import { limitsText, UNLIMITED_WINDOWS, type WindowLimits } from '../auth/plan.js';
import { permissionsOf, type Principal } from '../auth/principal.js';
import type { Role } from '../auth/roles.js';
import { grants, type Scope } from '../auth/scopes.js';

/** Returns the error for an expiry in the past. `never` says how to request no expiry. */
export function expiryHasPassed(never: 'leave it out' | 'send null'): AppError {
  const issue = `must be in the future; ${never} for a key that never expires`;
  return invalidFields([{ field: 'expiresAt', issue }]);
}

/** Returns the error for changing or rotating a key that is no longer active, or that has a successor. */
export function keyHasEnded(): AppError {
  return new AppError(
    'conflict',
    'This key was revoked, has expired or was already rotated. Use its successor, or create a new key.',
  );
}

/** Returns the error for rotating the key of a connected app. */
export function keyBelongsToApp(): AppError {
  return new AppError(
    'conflict',
    'This key belongs to a connected app, which renews its own tokens. Revoke the key to disconnect the app.',
  );
}

/** Throws `forbidden` if the requested permissions exceed those of the principal; the message says what to send instead. */
export function requireGrantable(wanted: Permissions, principal: Principal): void {
  const own = permissionsOf(principal);
  switch (firstExcess(wanted, own)) {
    case 'scopes':
      throw scopesNotHeld(wanted.scopes, own.scopes, principal.kind);
    case 'expiresAt':
      throw endsTooLate(own.expiresAt);
    case 'allowedIps':
      throw addressesNotHeld(own.allowedIps);
    case 'limits':
      throw limitsNotHeld(own.limits);
    case 'collections':
      throw collectionsNotHeld();
    case undefined:
  }
}

/** Throws `forbidden` if the permissions of a key to change, rotate or revoke exceed those of the principal. */
export function requireReachable(target: Permissions, principal: Principal): void {
  const own = permissionsOf(principal);
  const excess = firstExcess(target, own);
  if (excess) throw exceedsCaller(excess, target, own, principal.kind);
}

/** Returns the error for granting scopes that the caller does not have. */
export function scopesNotHeld(
  requested: readonly Scope[],
  granted: readonly Scope[],
  kind: Principal['kind'] = 'key',
): AppError {
  const missing = missingOf(requested, granted);
  const message =
    kind === 'person'
      ? `Your role in this account cannot grant scopes it does not have: ${missing}. Ask an owner of the account to create this key.`
      : `This API key cannot grant scopes it does not have: ${missing}. Use a key that has these scopes.`;
  return new AppError('forbidden', message, { requiredScopes: requested, grantedScopes: granted });
}

/** Returns the error for adding scopes to an existing key, because its holder must not gain permissions. */
export function scopesOnlyNarrow(requested: readonly Scope[], held: readonly Scope[]): AppError {
  return new AppError(
    'forbidden',
    `You cannot add scopes to an existing key. This key does not have: ${missingOf(requested, held)}. Remove them, or create a new key.`,
    {
      field: 'scopes',
      issue: `must only contain scopes that the key has: ${held.join(', ')}`,
      requiredScopes: requested,
      grantedScopes: held,
    },
  );
}

/** Returns the error for a key that would expire later than the calling key. */
export function endsTooLate(end: Date | null): AppError {
  const latest = end?.toISOString() ?? '';
  return new AppError(
    'forbidden',
    `This API key expires at ${latest}, and no key it creates or changes can expire later. Send this time or an earlier one as expiresAt.`,
    { field: 'expiresAt', issue: `must be ${latest} or earlier, when the calling key expires` },
  );
}

/** Returns the error for a key that would work from more addresses than the calling key. */
export function addressesNotHeld(ranges: readonly string[]): AppError {
  const own = ranges.join(', ');
  return new AppError(
    'forbidden',
    `This API key works only from ${own} and cannot allow other addresses. Send these ranges or parts of them as allowedIps.`,
    { field: 'allowedIps', issue: `must be within ${own}, the addresses of the calling key` },
  );
}

/** Returns the error for a key that could send more requests than the calling key. */
export function limitsNotHeld(limits: WindowLimits | null): AppError {
  const own = limitsText(limits ?? UNLIMITED_WINDOWS);
  return new AppError(
    'forbidden',
    `This API key can send ${own}, and no key it creates or changes can send more. Send these limits or lower ones as limits.`,
    { field: 'limits', issue: `must not exceed ${own}, the limits of the calling key` },
  );
}

/** Returns the error for a key that could use other collections than the calling key. */
export function collectionsNotHeld(): AppError {
  return new AppError(
    'forbidden',
    'This API key is limited to some collections, and no key it creates or changes can use others. Send collections of this key, as GET /v1/me returns them.',
    { field: 'collections', issue: 'must only contain collections of the calling key' },
  );
}

/** Returns the error for changing, rotating or revoking a key whose permissions exceed the caller's. */
export function exceedsCaller(
  excess: keyof Permissions,
  target: Permissions,
  own: Permissions,
  kind: Principal['kind'] = 'key',
): AppError {
  const scopes = { requiredScopes: target.scopes, grantedScopes: own.scopes };
  const missing = missingOf(target.scopes, own.scopes);
  if (kind === 'person') {
    const message = `Your role in this account cannot change, rotate or revoke a key with scopes it does not have: ${missing}. Ask an owner of the account.`;
    return new AppError('forbidden', message, scopes);
  }
  const why = {
    scopes: `that key has scopes this key does not have: ${missing}`,
    expiresAt: 'that key expires later',
    allowedIps: 'that key works from more addresses',
    limits: 'that key has higher limits, or none',
    collections: 'that key can use other collections',
  }[excess];
  return new AppError(
    'forbidden',
    `This API key cannot change, rotate or revoke a key with more permissions: ${why}. Use that key itself, or a key with the same permissions.`,
    excess === 'scopes' ? scopes : undefined,
  );
}

/** Returns the requested scopes that are not granted, as a list to show. */
export function missingOf(requested: readonly Scope[], granted: readonly Scope[]): string {
  return requested.filter((scope) => !grants(granted, scope)).join(', ');
}

/** Returns the error for the ID of a user who is not a service account of the account. */
export function notAServiceAccount(): AppError {
  const issue = 'is not a service account of this account; GET /v1/service-accounts lists them';
  return invalidFields([{ field: 'serviceAccountId', issue }]);
}

/** Returns the error for a key whose scopes exceed the role of the service account that would own it. */
export function roleLacksScopes(role: Role, missing: string): AppError {
  const issue = `has the role ${role}, which lacks the scopes ${missing}; remove them from the key, or choose a service account with another role`;
  return invalidFields([{ field: 'serviceAccountId', issue }]);
}
