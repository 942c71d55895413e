import type { Access } from '../auth/access/access.js';
import { ROOT } from '../auth/access/rights.js';
import { isShownIn, placeOf } from '../auth/access/document-places.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import { readJsonTree } from '../../platform/http/bodies/json-syntax-tree.js';
import type { EventType } from './catalogue/catalogue.js';

/**
 * Events about the account, whose place is the root: every member can read them, but no key that is limited to collections.
 * All others are about a document or a collection.
 */
const ABOUT_ACCOUNT: ReadonlySet<EventType> = new Set([
  'usage.threshold_reached',
  'webhook.test',
  'webhook.disabled',
]);
const ACCOUNT_TYPES = [...ABOUT_ACCOUNT].map((type) => `'${type}'`).join(', ');

/**
 * Returns SQL for the collection that decides who can read an event: the one it is about, or where its document is now.
 * For the event of a permanently deleted document it is the ID of the document, which is no collection.
 */
export const placeOfEvent = (event: string, account: string) =>
  `coalesce(${placeOf(`${event}.subject_id`, account)}, ${event}.subject_id)`;

/** Returns a condition on events AS item: true if they are about a place in the parameter. */
export const isReadable = (places: string) =>
  `(item.type IN (${ACCOUNT_TYPES}) AND ${isShownIn(`'${ROOT}'::uuid`, places)}
    OR ${isShownIn(placeOfEvent('item', '$1'), places)})`;

/** True if the caller can read an event with this {@link placeOfEvent}. */
export function canReadEvent(
  access: Access,
  { type, place }: { type: EventType; place: string | null },
): boolean {
  if (access.isWhole) return true;
  const decisive = ABOUT_ACCOUNT.has(type) ? ROOT : place;
  return decisive !== null && access.only === null && access.rightIn(decisive) !== null;
}

/** The members of `data` that name the place of the document or collection at that time. */
const PLACE_MEMBERS = [
  ['document', 'collectionId'],
  ['collection', 'parentId'],
] as const;

/**
 * Returns the JSON text of an event with null for a collection that the caller cannot see, such as the one that a document
 * was moved from. Edits the text, so that metadata stays as its author sent it.
 */
export function withoutHiddenPlace(body: string, access: Access): string {
  if (access.isWhole || !body.includes('"col_')) return body;
  const data = readJsonTree(body).root.members?.get('data')?.value.members;
  for (const [resource, member] of PLACE_MEMBERS) {
    const place = data?.get(resource)?.value.members?.get(member)?.value;
    if (!place) continue;
    const id = decodeId('collection', body.slice(place.start + 1, place.end - 1));
    if (id === undefined || access.rightIn(id) !== null) continue;
    return `${body.slice(0, place.start)}null${body.slice(place.end)}`;
  }
  return body;
}

const PLACE_IN_TEXT = /"(collectionId|parentId)":"(col_[0-9a-z]+)"/g;

/** Like {@link withoutHiddenPlace}, for the beginning of a body, which cannot be parsed. */
export function excerptWithoutHiddenPlaces(excerpt: string, access: Access): string {
  if (access.isWhole) return excerpt;
  return excerpt.replace(PLACE_IN_TEXT, (found, member: string, place: string) => {
    const id = decodeId('collection', place);
    return id === undefined || access.rightIn(id) !== null ? found : `"${member}":null`;
  });
}
