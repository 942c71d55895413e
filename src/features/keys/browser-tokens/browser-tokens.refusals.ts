import { AppError, invalidFields } from '../../../platform/basics/errors/app-error.js';
import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';
import { notVisible } from '../key-collections.js';
import { scopesNotHeld } from '../key-grants.js';

/** Returns the error for a person who asks for a token. */
export function onlyKeysCreateTokens(): AppError {
  return new AppError(
    'forbidden',
    'Only an API key can create browser tokens, which end with it. Send this request with a key that has the scope tokens:write.',
  );
}

/** Returns the error for a token without a limit, and for `documents` with both members, or with none. */
export function documentsUnclear(): AppError {
  return invalidFields([
    {
      field: 'documents',
      issue:
        'must have either ids or tags, to say what the token can use; or leave it out and send collections',
    },
  ]);
}

export const BROWSER_TOKENS = {
  create: [
    ['Neither ids nor tags, or both', documentsUnclear()],
    ['Unknown or hidden collection', notVisible(0)],
    ['Scope not held', scopesNotHeld(['documents:write'], ['documents:read', 'tokens:write'])],
    ['Not with a session', onlyKeysCreateTokens()],
  ],
} satisfies RouteRefusals;
