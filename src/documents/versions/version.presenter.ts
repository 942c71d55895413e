import { presentPerson } from '../../auth/person.js';
import { COPIED_FIELDS, KEPT_IF_CHANGED } from '../document-fields.js';
import { shownMembers } from '../document.presenter.js';
import type { Version, WholeVersion } from './version.js';

/** What only whole versions show. */
const LARGE_FIELDS = ['content', ...KEPT_IF_CHANGED] as const;

/** A version's public fields for lists, as JSON text. */
export function presentVersion(version: Version): string {
  const { number, changes, author, origin, createdAt } = version;
  const made = JSON.stringify({ changes, author: presentPerson(author), createdAt });
  const head = `{"number":${String(number)},${shownMembers(COPIED_FIELDS, version)}`;
  return `${head},${made.slice(1, -1)},"origin":${origin ?? 'null'}}`;
}

/** A whole version, as JSON text. */
export function presentWholeVersion(version: WholeVersion): string {
  return `${presentVersion(version).slice(0, -1)},${shownMembers(LARGE_FIELDS, version)}}`;
}
