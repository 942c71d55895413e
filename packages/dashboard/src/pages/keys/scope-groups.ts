import {
  SCOPE_MEANINGS,
  SCOPES,
  type Scope,
} from '../../../../../src/features/access/auth/scopes.js';

export { type Scope } from '../../../../../src/features/access/auth/scopes.js';

/** What a key may do with a scope, as the API document says it but without its marks. */
export function meaningOf(scope: Scope): string {
  return SCOPE_MEANINGS[scope].replaceAll('`', '');
}

const READING = SCOPES.filter((scope) => scope.endsWith(':read'));
/** Everything by name; `*` is also what is added later. */
const NAMED = SCOPES.filter((scope) => scope !== '*');

/** The boxes of the dialog, in groups. */
export const SCOPE_GROUPS: readonly (readonly [title: string, scopes: readonly Scope[]])[] = [
  ['Read', READING],
  ['Write', NAMED.filter((scope) => !READING.includes(scope))],
  ['All', ['*']],
];

/** Choices by one click. */
export const SCOPE_PRESETS: readonly (readonly [name: string, scopes: readonly Scope[]])[] = [
  ['Read only', READING],
  ['Read and write', NAMED],
  ['Everything', ['*']],
];

/** The name of the preset that is chosen, if it is one exactly. */
export function presetOf(chosen: readonly Scope[]): string | undefined {
  return SCOPE_PRESETS.find(
    ([, scopes]) => scopes.length === chosen.length && scopes.every((one) => chosen.includes(one)),
  )?.[0];
}
