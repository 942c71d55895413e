import { UNLIMITED } from '../auth/api-keys/permissions.js';
import { quotaExceeded } from '../usage/quotas/quota-refusal.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';
import {
  addressesNotHeld,
  endsTooLate,
  exceedsCaller,
  expiryHasPassed,
  keyBelongsToApp,
  keyHasEnded,
  limitsNotHeld,
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

const LIMITS_NOT_HELD = limitsNotHeld({ minute: 60, hour: 1000, day: null });

const EXCEEDS_CALLER = exceedsCaller(
  'scopes',
  { ...UNLIMITED, scopes: ['documents:write'] },
  { ...UNLIMITED, scopes: ['documents:read', 'keys:write'] },
);

export const KEYS = {
  create: [
    ['Expiry in the past', expiryHasPassed('leave it out')],
    ['Scope not held', SCOPE_NOT_HELD],
    ['Later expiry than the calling key', endsTooLate(new Date('2027-01-31T00:00:00Z'))],
    ['More addresses than the calling key', addressesNotHeld(['192.0.2.0/24'])],
    ['Higher limits than the calling key', LIMITS_NOT_HELD],
    ['Quota exceeded', TOO_MANY_KEYS],
  ],
  patch: [
    ['Expiry in the past', expiryHasPassed('send null')],
    ['Added scope', scopesOnlyNarrow(['documents:write'], ['documents:read'])],
    ['Later expiry than the calling key', endsTooLate(new Date('2027-01-31T00:00:00Z'))],
    ['More addresses than the calling key', addressesNotHeld(['192.0.2.0/24'])],
    ['Higher limits than the calling key', LIMITS_NOT_HELD],
    ['Exceeds the calling key', EXCEEDS_CALLER],
    ['Key no longer active', keyHasEnded()],
  ],
  revoke: [['Exceeds the calling key', EXCEEDS_CALLER]],
  rotate: [
    ['Exceeds the calling key', EXCEEDS_CALLER],
    ['Key no longer active', keyHasEnded()],
    ['Key of a connected app', keyBelongsToApp()],
  ],
} satisfies RouteRefusals;
