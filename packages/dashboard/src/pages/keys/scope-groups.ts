import {
  grants,
  isLimitable,
  SCOPE_MEANINGS,
  SCOPES,
  type Scope,
} from '../../../../../src/features/auth/scopes.js';

export { SCOPES, type Scope } from '../../../../../src/features/auth/scopes.js';

/** What each scope allows: the text of the API document without Markdown. */
export function meaningOf(scope: Scope): string {
  return SCOPE_MEANINGS[scope].replaceAll('`', '');
}

const WEBSITE: readonly Scope[] = ['documents:read_published'];
const READING = SCOPES.filter((scope) => scope.endsWith(':read'));
/** What the presets for reading leave out is included in `documents:read`. */
const ALL_READING = SCOPES.filter((scope) => READING.includes(scope) || WEBSITE.includes(scope));
/** Every scope by name. `*` also includes future scopes. */
const NAMED = SCOPES.filter((scope) => scope !== '*');

/** The checkboxes of the dialog, in groups. */
export const SCOPE_GROUPS: readonly (readonly [title: string, scopes: readonly Scope[]])[] = [
  ['Read', ALL_READING],
  ['Write', NAMED.filter((scope) => !ALL_READING.includes(scope))],
  ['All', ['*']],
];

/** Presets that select several scopes. */
export const SCOPE_PRESETS: readonly (readonly [name: string, scopes: readonly Scope[]])[] = [
  ['Website', WEBSITE],
  ['Read only', READING],
  ['Read and write', NAMED],
  ['Everything', ['*']],
];

/** Returns the name of the preset with exactly these scopes, if any. */
export function presetOf(chosen: readonly Scope[]): string | undefined {
  return SCOPE_PRESETS.find(
    ([, scopes]) => scopes.length === chosen.length && scopes.every((one) => chosen.includes(one)),
  )?.[0];
}

/** The only scopes that a key can have. */
export interface ScopeLimit {
  scopes: readonly Scope[];
  /** Why it cannot have others. */
  whyNot: string;
}

/** Returns the limit of a key that can open only some folders. */
export function limitInFolders(limit: ScopeLimit | undefined): ScopeLimit {
  return {
    scopes: NAMED.filter((scope) => isLimitable(scope) && isWithin(limit, scope)),
    whyNot: "A key for some folders can't have this scope.",
  };
}

export function isWithin(limit: ScopeLimit | undefined, scope: Scope): boolean {
  return !limit || grants(limit.scopes, scope);
}
