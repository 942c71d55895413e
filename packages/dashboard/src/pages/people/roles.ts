import type { Role } from '../../api/people.js';

/** The one that may most first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[];

/** What somebody with the role may do: the rest of a sentence. */
export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  owner: 'may do everything, manages all people, and can delete the account',
  admin: 'works with documents, webhooks and API keys, and manages members and viewers',
  member: 'works with documents and templates, and sees webhooks and events',
  viewer: 'sees documents, templates, webhooks and events, and changes nothing',
};

/** The roles that `actor` may give, take and invite to: owners all, admins those below them. */
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

/** Why `actor` may not change or remove somebody who has `role`; undefined when it may. */
export function whyNotManage(actor: Role, role: Role): string | undefined {
  if (manageableRoles(actor).includes(role)) return undefined;
  return actor === 'admin'
    ? 'An admin manages members and viewers. Ask an owner.'
    : `Owners and admins manage people; your role is ${actor}.`;
}
