import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';
import { roleNotHeld, tooManyServiceAccounts } from './service-accounts.service.js';

const ROLE_NOT_HELD = roleNotHeld('admin', ['documents:read', 'keys:read', 'keys:write']);

export const SERVICE_ACCOUNTS = {
  create: [
    ['Scopes of the role not held', ROLE_NOT_HELD],
    ['Too many service accounts', tooManyServiceAccounts()],
  ],
  patch: [['Scopes of the role not held', ROLE_NOT_HELD]],
  delete: [['Scopes of the role not held', ROLE_NOT_HELD]],
} satisfies RouteRefusals;
