import type { Scope } from './scopes.js';

/** Every role that a member of an account can have, and what it may do. A role is nothing but its scopes. */
export const ROLE_SCOPES = {
  viewer: ['documents:read', 'templates:read', 'webhooks:read', 'events:read', 'usage:read'],
  member: [
    'documents:read',
    'documents:write',
    'documents:delete',
    'documents:analyze',
    'templates:read',
    'templates:write',
    'webhooks:read',
    'events:read',
    'usage:read',
  ],
  admin: [
    'documents:read',
    'documents:write',
    'documents:delete',
    'documents:analyze',
    'templates:read',
    'templates:write',
    'webhooks:read',
    'webhooks:write',
    'events:read',
    'keys:read',
    'keys:write',
    'usage:read',
    'audit:read',
  ],
  owner: ['*'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;
