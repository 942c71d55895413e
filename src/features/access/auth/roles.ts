import { AppError } from '../../../platform/basics/errors/app-error.js';
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

/** The roles, the one that may most first. Whoever manages people has {@link requireRole}; a scope says nothing of people. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[];

/** Whether `role` may all that `least` may, and perhaps more. */
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
