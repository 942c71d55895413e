import { UNLIMITED } from '../auth/api-keys/permissions.js';
import { quotaExceeded } from '../usage/quotas/quota-refusal.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';
import { notLimitable, notVisible } from './key-collections.js';
import {
  addressesNotHeld,
  collectionsNotHeld,
  endsTooLate,
  exceedsCaller,
  expiryHasPassed,
  keyBelongsToApp,
  keyHasEnded,
  limitsNotHeld,
  notAServiceAccount,
  roleLacksScopes,
  scopesNotHeld,
  scopesOnlyNarrow,
} from './key-grants.js';

const TOO_MANY_KEYS = quotaExceeded({
  quota: 'keys',
  limit: 10,
  used: 10,
  plan: 'free',
  requested: 1,
});

const SCOPE_NOT_HELD = scopesNotHeld(['documents:write'], ['documents:read', 'keys:write']);

const ROLE_LACKS_SCOPES = roleLacksScopes('viewer', 'documents:write');

const LIMITS_NOT_HELD = limitsNotHeld({ minute: 60, hour: 1000, day: null });

const EXCEEDS_CALLER = exceedsCaller(
  'scopes',
  { ...UNLIMITED, scopes: ['documents:write'] },
  { ...UNLIMITED, scopes: ['documents:read', 'keys:write'] },
);

const COLLECTIONS = [
  ['Unknown or hidden collection', notVisible(0)],
  ['Collections with a scope for the whole account', notLimitable(['webhooks:read'])],
] as const;

const COLLECTIONS_NOT_HELD = [
  'Collections that the calling key does not have',
  collectionsNotHeld(),
] as const;

export const KEYS = {
  create: [
    ['Expiry in the past', expiryHasPassed('leave it out')],
    ['Unknown service account', notAServiceAccount()],
    ['Role of the service account too low', ROLE_LACKS_SCOPES],
    ...COLLECTIONS,
    ['Scope not held', SCOPE_NOT_HELD],
    ['Later expiry than the calling key', endsTooLate(new Date('2027-01-31T00:00:00Z'))],
    ['More addresses than the calling key', addressesNotHeld(['192.0.2.0/24'])],
    ['Higher limits than the calling key', LIMITS_NOT_HELD],
    COLLECTIONS_NOT_HELD,
    ['Quota exceeded', TOO_MANY_KEYS],
  ],
  patch: [
    ['Expiry in the past', expiryHasPassed('send null')],
    ...COLLECTIONS,
    ['Added scope', scopesOnlyNarrow(['documents:write'], ['documents:read'])],
    ['Later expiry than the calling key', endsTooLate(new Date('2027-01-31T00:00:00Z'))],
    ['More addresses than the calling key', addressesNotHeld(['192.0.2.0/24'])],
    ['Higher limits than the calling key', LIMITS_NOT_HELD],
    COLLECTIONS_NOT_HELD,
    ['Exceeds the calling key', EXCEEDS_CALLER],
    ['Key no longer active', keyHasEnded()],
  ],
  revoke: [['Exceeds the calling key', EXCEEDS_CALLER]],
  rotate: [
    ['Unknown service account', notAServiceAccount()],
    ['Role of the service account too low', ROLE_LACKS_SCOPES],
    ['Exceeds the calling key', EXCEEDS_CALLER],
    ['Key no longer active', keyHasEnded()],
    ['Key of a connected app', keyBelongsToApp()],
  ],
} satisfies RouteRefusals;
