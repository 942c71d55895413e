import type { Role } from '../../api/people.js';

/** The role with the most rights first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[];

/** What the role can do, as the end of a sentence that starts with "can". */
export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  owner: 'do everything, manage all people and delete the account',
  admin: 'use documents, webhooks and API keys, and manage members and viewers',
  member: 'edit documents and templates, and view webhooks and events',
  viewer: 'view documents, templates, webhooks and events',
};

/** Returns the roles that `actor` may assign, remove and invite to: all for owners, those below them for admins. */
export function manageableRoles(actor: Role): readonly Role[] {
  switch (actor) {
    case 'owner':
      return ROLES;
    case 'admin':
      return ['member', 'viewer'];
    default:
      return [];
  }
}

/** Returns why `actor` may not change or remove a person with `role`, or undefined if it may. */
export function whyNotManage(actor: Role, role: Role): string | undefined {
  if (manageableRoles(actor).includes(role)) return undefined;
  return actor === 'admin'
    ? 'Admins can manage only members and viewers. Ask an owner.'
    : `Only owners and admins can manage people. Your role is ${actor}.`;
}
