import { Access } from '../../src/features/auth/access/access.js';
import { UNLIMITED_WINDOWS } from '../../src/features/auth/plan.js';
import type { DocumentSelection, Principal } from '../../src/features/auth/principal.js';

/** Returns the access of a browser token for these documents. */
export function accessTo(accountId: string, documents: DocumentSelection): Access {
  const principal: Principal = {
    kind: 'key',
    accountId,
    keyId: accountId,
    user: { id: accountId, name: 'Ada', email: 'ada@example.com' },
    scopes: ['documents:read'],
    expiresAt: null,
    allowedIps: [],
    limits: UNLIMITED_WINDOWS,
    plan: 'enterprise',
    customLimits: null,
    accessEpoch: '0',
    role: 'owner',
    collections: null,
    token: {
      id: accountId,
      kind: 'browser',
      minuteLimit: null,
      label: null,
      documents,
      collections: null,
    },
  };
  return Access.ofPrincipal(principal, null);
}
