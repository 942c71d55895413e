import type { Right } from '../../api/collections.js';
import type { Role, SessionState } from '../../api/people.js';

/** The names of the rights in a folder. */
export const RIGHT_NAMES: Readonly<Record<Right, string>> = {
  viewer: 'Can view',
  editor: 'Can edit',
  manager: 'Can manage',
};

/** What each right allows. */
export const MEANINGS: Readonly<Record<Right, string>> = {
  viewer: 'Read and export the documents, and suggest changes',
  editor: 'Also create, change, move and delete documents and folders',
  manager: 'Also decide who has access',
};

/** Returns whether people with the role can open and manage every folder. */
export function managesAllFolders(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/**
 * Returns what a person with a role can do with a right. With a role that does not have the scope to change documents, a
 * person can only suggest changes.
 */
export function ableTo(right: Right, role: Role | undefined, roles: SessionState['roles']): string {
  if (role === undefined) return RIGHT_NAMES[right];
  const granted = roles[role];
  const may = (scope: (typeof granted)[number]) => granted.includes('*') || granted.includes(scope);
  if (right !== 'viewer' && may('documents:write')) {
    return right === 'manager' && !may('access:write') ? RIGHT_NAMES.editor : RIGHT_NAMES[right];
  }
  return may('documents:suggest') ? 'Can suggest' : RIGHT_NAMES.viewer;
}
