import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';
import { notLimitable, notVisible } from '../../keys/key-collections.js';
import { invalidParameter } from './authorization-request.js';
import { appsNotAllowed, scopesNotHeld, tooManyApps } from './authorizations.service.js';
import { keysNotAllowed } from './signed-in-people.guard.js';

const CHECK = [
  ['Invalid request of the app', invalidParameter('code_challenge', 'is missing')],
  ['API key instead of a person', keysNotAllowed()],
  ['Apps not allowed', appsNotAllowed('admins')],
  ['Too many connected apps', tooManyApps()],
] as const;

export const AUTHORIZATIONS = {
  check: CHECK,
  approve: [
    ...CHECK,
    ['Unknown or hidden collection', notVisible(0)],
    ['Collections with a scope for the whole account', notLimitable(['usage:read'])],
    ['Scope not held', scopesNotHeld(['documents:write'])],
  ],
  list: [['API key instead of a person', keysNotAllowed()]],
  end: [['API key instead of a person', keysNotAllowed()]],
} satisfies RouteRefusals;
