import { presentPerson } from '../../auth/person.js';
import { COPIED_FIELDS, KEPT_IF_CHANGED } from '../document-fields.js';
import { shownMembers } from '../document.presenter.js';
import type { Version, WholeVersion } from './version.js';

/** What only whole versions show. */
const LARGE_FIELDS = ['content', ...KEPT_IF_CHANGED] as const;

/** A version's public fields for lists, as JSON text. */
export function presentVersion(version: Version): string {
  const { number, changes, author, createdAt } = version;
  const origin = JSON.stringify({ changes, author: presentPerson(author), createdAt });
  return `{"number":${String(number)},${shownMembers(COPIED_FIELDS, version)},${origin.slice(1)}`;
}

/** A whole version, as JSON text. */
export function presentWholeVersion(version: WholeVersion): string {
  return `${presentVersion(version).slice(0, -1)},${shownMembers(LARGE_FIELDS, version)}}`;
}
