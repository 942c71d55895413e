import { AppError, invalidFields } from '../errors/app-error.js';
import { grants, type Scope } from '../auth/scopes.js';

/** The answer to a new key that would have ended before it began. */
export function expiryHasPassed(): AppError {
  return invalidFields([
    {
      field: 'expiresAt',
      issue: 'must lie in the future; leave it out for a key that never expires',
    },
  ]);
}

/** The answer to a rotation of a key that works no more, or has a successor. */
export function keyHasEnded(): AppError {
  return new AppError(
    'conflict',
    'This key was revoked, has expired or was rotated already. Use its successor, or make a new key.',
  );
}

/** The answer to a key that is to hold scopes which the key that makes it has not. */
export function scopesNotHeld(requested: readonly Scope[], granted: readonly Scope[]): AppError {
  const missing = requested.filter((scope) => !grants(granted, scope));
  return new AppError(
    'forbidden',
    `This API key cannot grant what it has not: ${missing.join(', ')}. Use a key that has these scopes.`,
    { requiredScopes: requested, grantedScopes: granted },
  );
}
