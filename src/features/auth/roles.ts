import { AppError } from '../../platform/basics/errors/app-error.js';
import type { Scope } from './scopes.js';

/** The member roles and their scopes. A role is just a named set of scopes. */
export const ROLE_SCOPES = {
  viewer: [
    'documents:read',
    'documents:suggest',
    'templates:read',
    'webhooks:read',
    'events:read',
    'usage:read',
  ],
  member: [
    'documents:read',
    'documents:write',
    'documents:delete',
    'documents:analyze',
    'documents:suggest',
    'collections:write',
    'access:write',
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
    'documents:suggest',
    'collections:write',
    'access:write',
    'templates:read',
    'templates:write',
    'webhooks:read',
    'webhooks:write',
    'events:read',
    'keys:read',
    'keys:write',
    'tokens:write',
    'usage:read',
    'audit:read',
  ],
  owner: ['*'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;

/** All roles, most powerful first. No scope covers managing people; those routes use {@link requireRole}. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[];

/** True if `role` permits at least everything that `least` permits. */
export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least);
}

/** Throws `forbidden` for a role below `least`. */
export function requireRole(role: Role, least: Role): void {
  if (isAtLeast(role, least)) return;
  const requiredRoles = ROLES.filter((one) => isAtLeast(one, least));
  throw new AppError(
    'forbidden',
    `Your role in this account is ${role}; this needs ${requiredRoles.join(' or ')}. Ask an owner of the account.`,
    { requiredRoles, role },
  );
}
