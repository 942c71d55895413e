import { UNLIMITED } from '../access/auth/permissions.js';
import { quotaExceeded } from '../usage/quota-refusal.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';
import { AppError, invalidFields } from '../../platform/basics/errors/app-error.js';
import { firstExcess, type Permissions } from '../access/auth/permissions.js';
import { permissionsOf, type Principal } from '../access/auth/principal.js';
import { grants, type Scope } from '../access/auth/scopes.js';

/** The answer to an end that has passed; `never` is how the request says that there shall be none. */
export function expiryHasPassed(never: 'leave it out' | 'send null'): AppError {
  const issue = `must lie in the future; ${never} for a key that never expires`;
  return invalidFields([{ field: 'expiresAt', issue }]);
}

/** The answer to a change or rotation of a key that works no more, or has a successor. */
export function keyHasEnded(): AppError {
  return new AppError(
    'conflict',
    'This key was revoked, has expired or was rotated already. Use its successor, or make a new key.',
  );
}

/** Throws `forbidden` for a key that would reach further than the principal that makes or changes it; says what to send instead. */
export function requireGrantable(wanted: Permissions, principal: Principal): void {
  const own = permissionsOf(principal);
  switch (firstExcess(wanted, own)) {
    case 'scopes':
      throw scopesNotHeld(wanted.scopes, own.scopes, principal.kind);
    case 'expiresAt':
      throw endsTooLate(own.expiresAt);
    case 'allowedIps':
      throw addressesNotHeld(own.allowedIps);
    case undefined:
  }
}

/** Throws `forbidden` for a key that reaches further than the principal that is to change, rotate or revoke it. */
export function requireReachable(target: Permissions, principal: Principal): void {
  const own = permissionsOf(principal);
  const excess = firstExcess(target, own);
  if (excess) throw reachesFurther(excess, target, own, principal.kind);
}

/** The answer to a key that is to hold scopes which the principal that makes it has not. */
export function scopesNotHeld(
  requested: readonly Scope[],
  granted: readonly Scope[],
  kind: Principal['kind'] = 'key',
): AppError {
  const missing = missingOf(requested, granted);
  const message =
    kind === 'person'
      ? `Your role in this account cannot grant what it has not: ${missing}. Ask an owner of the account for this key.`
      : `This API key cannot grant what it has not: ${missing}. Use a key that has these scopes.`;
  return new AppError('forbidden', message, { requiredScopes: requested, grantedScopes: granted });
}

/** The answer to a key that is to get scopes which it has not: whoever holds it would have been given more. */
export function scopesOnlyNarrow(requested: readonly Scope[], held: readonly Scope[]): AppError {
  return new AppError(
    'forbidden',
    `A key gets no further scopes after it was made; this one has not: ${missingOf(requested, held)}. Leave them out, or make a new key.`,
    {
      field: 'scopes',
      issue: `must all be among ${held.join(', ')}, which the key has`,
      requiredScopes: requested,
      grantedScopes: held,
    },
  );
}

/** The answer to a key that is to live longer than the key that makes it. */
export function endsTooLate(end: Date | null): AppError {
  const latest = end?.toISOString() ?? '';
  return new AppError(
    'forbidden',
    `This API key ends at ${latest} and gives none a longer life. Send that as expiresAt, or an earlier time.`,
    { field: 'expiresAt', issue: `must be ${latest} or earlier, when the key that asks ends` },
  );
}

/** The answer to a key that is to be used from more addresses than the key that makes it. */
export function addressesNotHeld(ranges: readonly string[]): AppError {
  const own = ranges.join(', ');
  return new AppError(
    'forbidden',
    `This API key works from ${own} only and opens none for other addresses. Send these as allowedIps, or parts of them.`,
    { field: 'allowedIps', issue: `must lie within ${own}, from where the key that asks works` },
  );
}

/** The answer to changing, rotating or revoking a key that reaches further than the principal that asks. */
export function reachesFurther(
  excess: keyof Permissions,
  target: Permissions,
  own: Permissions,
  kind: Principal['kind'] = 'key',
): AppError {
  const scopes = { requiredScopes: target.scopes, grantedScopes: own.scopes };
  const missing = missingOf(target.scopes, own.scopes);
  if (kind === 'person') {
    const message = `Your role in this account cannot change, rotate or revoke a key with scopes that it has not: ${missing}. Ask an owner of the account.`;
    return new AppError('forbidden', message, scopes);
  }
  const why = {
    scopes: `has scopes that this one has not: ${missing}`,
    expiresAt: 'lives longer than this one',
    allowedIps: 'works from more addresses than this one',
  }[excess];
  return new AppError(
    'forbidden',
    `This API key cannot change, rotate or revoke a key that reaches further: it ${why}. Use a key that reaches as far, or that key itself.`,
    excess === 'scopes' ? scopes : undefined,
  );
}

function missingOf(requested: readonly Scope[], granted: readonly Scope[]): string {
  return requested.filter((scope) => !grants(granted, scope)).join(', ');
}

const TOO_MANY_KEYS = quotaExceeded({
  quota: 'keys',
  limit: 10,
  used: 10,
  plan: 'free',
  requested: 1,
});

const SCOPE_NOT_HELD = scopesNotHeld(['documents:write'], ['documents:read', 'keys:write']);

const REACHES_FURTHER = reachesFurther(
  'scopes',
  { ...UNLIMITED, scopes: ['documents:write'] },
  { ...UNLIMITED, scopes: ['documents:read', 'keys:write'] },
);

export const KEYS = {
  create: [
    ['Expiry in the past', expiryHasPassed('leave it out')],
    ['Scope not held', SCOPE_NOT_HELD],
    ['Later end than its own', endsTooLate(new Date('2027-01-31T00:00:00Z'))],
    ['More addresses than its own', addressesNotHeld(['192.0.2.0/24'])],
    ['Too many keys', TOO_MANY_KEYS],
  ],
  patch: [
    ['Expiry in the past', expiryHasPassed('send null')],
    ['Further scope', scopesOnlyNarrow(['documents:write'], ['documents:read'])],
    ['Later end than its own', endsTooLate(new Date('2027-01-31T00:00:00Z'))],
    ['More addresses than its own', addressesNotHeld(['192.0.2.0/24'])],
    ['Reaches further', REACHES_FURTHER],
    ['Key has ended', keyHasEnded()],
  ],
  revoke: [['Reaches further', REACHES_FURTHER]],
  rotate: [
    ['Reaches further', REACHES_FURTHER],
    ['Key has ended', keyHasEnded()],
  ],
} satisfies RouteRefusals;
