import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { memberWriter, timeOf } from '../content/versions/field-map.js';
import {
  DOCUMENT_FIELDS,
  SHOWN_FIELDS,
  type Document,
  type ShownField,
} from './document-fields.js';
import type { DeletedDocumentDto } from './dto/document.dto.js';

type Shared = Pick<Document, Exclude<ShownField, 'content' | 'excerpt'>>;

/** Content and excerpt stand between them, where an answer has the one or the other. */
const HEAD = SHOWN_FIELDS.slice(0, SHOWN_FIELDS.indexOf('content')) as (keyof Shared)[];
const TAIL = SHOWN_FIELDS.slice(SHOWN_FIELDS.indexOf('excerpt') + 1) as (keyof Shared)[];
const head: (document: Shared) => string = memberWriter(DOCUMENT_FIELDS, HEAD);
const tail: (document: Shared) => string = memberWriter(DOCUMENT_FIELDS, TAIL);

/** A document's public form as JSON text, in the parts that are put to use apart: a content is made JSON once. */
export interface DocumentJson {
  before: string;
  content: string;
  after: string;
}

/** The fields that `DOCUMENT_FIELDS` shows, in its order. */
export function presentInParts(document: Omit<Document, 'accountId' | 'excerpt'>): DocumentJson {
  return {
    before: `{${head(document)},"content":`,
    content: JSON.stringify(document.content),
    after: `,${tail(document)}}`,
  };
}

/** The same in one text. */
export function presentDocument(document: Omit<Document, 'accountId' | 'excerpt'>): string {
  return wholeOf(presentInParts(document));
}

/** Some of its fields. */
export function presentFields(
  document: Omit<Document, 'accountId'>,
  fields: readonly ShownField[],
): string {
  return `{${memberWriter(DOCUMENT_FIELDS, fields)(document)}}`;
}

/** The text that the parts make. */
export function wholeOf({ before, content, after }: DocumentJson): string {
  return before + content + after;
}

/** The same for an event whose content would be too large; `contentTruncated` says so. */
export function presentDocumentWithoutContent(document: Shared): string {
  return `{${head(document)},"contentTruncated":true,${tail(document)}}`;
}

/** What lists show; each of them leaves some of it out. */
export const LISTED_FIELDS = [
  ...HEAD,
  'content',
  'excerpt',
  'highlight',
  ...TAIL,
  'deletedAt',
] as const;
export type ListedField = (typeof LISTED_FIELDS)[number];

/** A document of a list. Times are text, as `src/platform/database/utc-text.ts` has it. */
export interface ListItem extends Omit<
  Document,
  'accountId' | 'content' | 'createdAt' | 'updatedAt'
> {
  content?: string | null;
  /** HTML; null where nothing can be shown. */
  highlight: string | null;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
}

const LISTED = {
  ...DOCUMENT_FIELDS,
  highlight: { shown: JSON.stringify },
  deletedAt: { shown: timeOf },
};

/** Writes documents of a list with these fields, as JSON text. */
export function listItemWriter(fields: readonly ListedField[]): (item: ListItem) => string {
  const writeMembers = memberWriter(LISTED, fields);
  return (item) => `{${writeMembers(item)}}`;
}

type Referred = Pick<Document, 'id' | 'type' | 'status' | 'version'>;

/** What an event says of a document without its content: enough to fetch it and to know the order. */
export function presentDocumentReference(document: Referred): string {
  return JSON.stringify(referenceTo(document));
}

/** The same of one that was removed for good; `src/features/events/redaction.ts` makes older events say so. */
export function presentRemovedDocument(document: Referred): string {
  return JSON.stringify({ ...referenceTo(document), removed: true });
}

function referenceTo({ id, type, status, version }: Referred) {
  return { id: encodeId('document', id), type, status, version };
}

/** Strong entity tag of a document's version. */
export function documentETag({ version }: Pick<Document, 'version'>): string {
  return `"${String(version)}"`;
}

/** What is said of a document that went into the trash. */
export function deletedForNow(id: string, until: Date): DeletedDocumentDto {
  return { id, deleted: true, permanent: false, restorableUntil: until.toISOString() };
}
