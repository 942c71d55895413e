import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { memberWriter, timeOf } from '../content/versioning/field-map.js';
import {
  DOCUMENT_FIELDS,
  SHOWN_FIELDS,
  type Document,
  type ShownField,
} from './model/document-fields.js';
import { READER_FIELDS } from './publishing/reader-fields.js';
import type { DeletedDocumentDto } from './dto/document.dto.js';

/** The published version of a document, as two fields. */
type Published = Pick<Document, 'publishedVersion' | 'hasUnpublishedChanges'>;
type Shared = Pick<Document, Exclude<ShownField, 'content' | 'excerpt'>> & Published;

/** Fields before and after the content or excerpt. */
const HEAD = SHOWN_FIELDS.slice(0, SHOWN_FIELDS.indexOf('content')) as (keyof Shared)[];
const TAIL = SHOWN_FIELDS.slice(SHOWN_FIELDS.indexOf('excerpt') + 1) as (keyof Shared)[];
const head: (document: Shared) => string = memberWriter(DOCUMENT_FIELDS, HEAD);
const sharedTail: (document: Shared) => string = memberWriter(DOCUMENT_FIELDS, TAIL);
const tail = (document: Shared): string => sharedTail(document) + publishedMember(document);

/** Returns the member `published` after a comma, or nothing for a document without a published version. */
function publishedMember({ publishedVersion, hasUnpublishedChanges }: Published): string {
  if (publishedVersion === null) return '';
  return `,"published":{"version":${String(publishedVersion)},"changed":${String(hasUnpublishedChanges)}}`;
}

/** The public JSON of a document in three parts, so that the content is serialized only once. */
export interface DocumentJson {
  before: string;
  content: string;
  after: string;
}

/** Returns the public fields of `DOCUMENT_FIELDS`, in its order. */
export function presentInParts(document: Omit<Document, 'accountId' | 'excerpt'>): DocumentJson {
  return {
    before: `{${head(document)},"content":`,
    content: JSON.stringify(document.content),
    after: `,${tail(document)}}`,
  };
}

/** Returns the public JSON of a document. */
export function presentDocument(document: Omit<Document, 'accountId' | 'excerpt'>): string {
  return wholeOf(presentInParts(document));
}

/** The fields that a read of a document can name. */
export const READ_FIELDS = [
  ...SHOWN_FIELDS,
  'published',
  'publishedAt',
  'firstPublishedAt',
] as const;
export type ReadField = (typeof READ_FIELDS)[number];

/** Returns the public JSON of some fields. */
export function presentFields(
  document: Omit<Document, 'accountId'>,
  fields: readonly ReadField[],
): string {
  const members = memberWriter(DOCUMENT_FIELDS, fields.filter(isShown))(document);
  return `{${members}${fields.includes('published') ? publishedMember(document) : ''}}`;
}

function isShown(name: string): name is ShownField {
  return name in DOCUMENT_FIELDS;
}

export function wholeOf({ before, content, after }: DocumentJson): string {
  return before + content + after;
}

/** Returns the public JSON with `contentTruncated` instead of content that is too large. */
export function presentDocumentWithoutContent(document: Shared): string {
  return `{${head(document)},"contentTruncated":true,${tail(document)}}`;
}

/** All fields that list items can have. */
export const LISTED_FIELDS = [
  ...HEAD,
  'content',
  'excerpt',
  'highlight',
  ...TAIL,
  'published',
  'publishedAt',
  'firstPublishedAt',
  'deletedAt',
] as const;
export type ListedField = (typeof LISTED_FIELDS)[number];

/** A document in a list. Times are text in the format of `src/platform/database/utc-text.ts`. */
export interface ListItem extends Omit<
  Document,
  'accountId' | 'content' | 'createdAt' | 'updatedAt'
> {
  content?: string | null;
  /** HTML; null if there is no match to show. */
  highlight: string | null;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  /** Only published versions have both. */
  publishedAt?: string;
  firstPublishedAt?: string;
}

const ONLY_LISTED = { highlight: { shown: JSON.stringify }, deletedAt: { shown: timeOf } };

/** Returns a function that writes list items with these fields as JSON text. `forReaders` leaves out email addresses. */
export function listItemWriter(
  fields: readonly ListedField[],
  { forReaders }: { forReaders: boolean },
): (item: ListItem) => string {
  const writeMembers = memberWriter(
    { ...(forReaders ? READER_FIELDS : DOCUMENT_FIELDS), ...ONLY_LISTED },
    fields.filter((name) => name !== 'published'),
  );
  if (!fields.includes('published')) return (item) => `{${writeMembers(item)}}`;
  return (item) => `{${writeMembers(item)}${publishedMember(item)}}`;
}

type DocumentReference = Pick<Document, 'id' | 'type' | 'status' | 'version'>;

/** Returns the reference in thin events: enough to fetch the document and to order events. */
export function presentDocumentReference(document: DocumentReference): string {
  return JSON.stringify(referenceTo(document));
}

/** Returns the reference to a permanently deleted document. `src/features/events/redaction.ts` redacts older events. */
export function presentRemovedDocument(document: DocumentReference): string {
  return JSON.stringify({ ...referenceTo(document), removed: true });
}

function referenceTo({ id, type, status, version }: DocumentReference) {
  return { id: encodeId('document', id), type, status, version };
}

/** Returns the strong entity tag of a document version. */
export function documentETag({ version }: Pick<Document, 'version'>): string {
  return `"${String(version)}"`;
}

/** Returns the response for a document that was moved to the trash. */
export function presentTrashed(id: string, until: Date): DeletedDocumentDto {
  return { id, deleted: true, permanent: false, restorableUntil: until.toISOString() };
}
