import type { Right } from '../../api/collections.js';
import type { SessionState } from '../../api/people.js';

type Roles = SessionState['roles'];
type Role = keyof Roles;

/** The rights in a folder, as the end of a sentence that starts with "can". The role of the person limits them. */
const WORDS: Readonly<Record<Right, string>> = {
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

export type { Right };

export const RIGHTS = ['viewer', 'editor', 'manager'] as const satisfies readonly Right[];

/** Returns the label of a right. */
export function rightName(right: Right): string {
  return WORDS[right];
}

/** Says what a person with a role can do with a right: a role without the scope to change documents can only suggest. */
export function ableTo(right: Right, role: Role | undefined, roles: Roles): string {
  if (role === undefined) return rightName(right);
  const granted = roles[role];
  const may = (scope: Roles[Role][number]) => granted.includes('*') || granted.includes(scope);
  if (right !== 'viewer' && may('documents:write')) {
    return right === 'manager' && !may('access:write') ? WORDS.editor : WORDS[right];
  }
  return may('documents:suggest') ? 'Can suggest' : WORDS.viewer;
}
