import { encodeId } from '../identifiers/identifiers.js';
import { shownMembers } from '../versions/field-map.js';
import {
  DOCUMENT_FIELDS,
  SHOWN_FIELDS,
  type Document,
  type ShownField,
} from './document-fields.js';
import type { DeletedDocumentDto } from './dto/delete-document.dto.js';

type ItemFields = Omit<Document, 'content' | 'accountId'>;

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
  return `{${shownMembers(DOCUMENT_FIELDS, fields, { ...document })}}`;
}

/** The text that the parts make. */
export function wholeOf({ before, content, after }: DocumentJson): string {
  return before + content + after;
}

/** The same for an event whose content would be too large; `contentTruncated` says so. */
export function presentDocumentWithoutContent(document: Shared): string {
  return `{${head(document)},"contentTruncated":true,${tail(document)}}`;
}

/** What lists show beside the fields of a document. */
interface Listed {
  /** Only when it was asked for. */
  content?: string | undefined;
  /** Only in the trash. */
  deletedAt?: Date | null;
  /** Only in searches; null where nothing can be shown. */
  highlight?: string | null | undefined;
}

/** What lists show. */
export const LISTED_FIELDS = [...SHOWN_FIELDS, 'highlight', 'deletedAt'] as const;
export type ListedField = (typeof LISTED_FIELDS)[number];

/** A document in a list: without content, unless it was asked for, with an excerpt; or the fields that are asked for. */
export function presentListItem(
  document: ItemFields & Listed,
  asked?: readonly ListedField[],
): string {
  const { content, deletedAt, highlight } = document;
  if (asked) {
    const shown = SHOWN_FIELDS.filter(
      (name) => asked.includes(name) && (name !== 'content' || content !== undefined),
    );
    const members = [shownMembers(DOCUMENT_FIELDS, shown, { ...document })];
    if (asked.includes('highlight') && highlight !== undefined)
      members.push(`"highlight":${JSON.stringify(highlight)}`);
    if (asked.includes('deletedAt') && deletedAt)
      members.push(`"deletedAt":"${deletedAt.toISOString()}"`);
    return `{${members.join(',')}}`;
  }
  return (
    `{${head(document)},${content === undefined ? '' : `"content":${JSON.stringify(content)},`}` +
    `"excerpt":${JSON.stringify(document.excerpt)},` +
    `${highlight === undefined ? '' : `"highlight":${JSON.stringify(highlight)},`}${tail(document)}` +
    `${deletedAt ? `,"deletedAt":"${deletedAt.toISOString()}"` : ''}}`
  );
}

type Referred = Pick<Document, 'id' | 'type' | 'status' | 'version'>;

/** What an event says of a document without its content: enough to fetch it and to know the order. */
export function presentDocumentReference(document: Referred): string {
  return JSON.stringify(referenceTo(document));
}

/** The same of one that was removed for good; `src/events/redaction.ts` makes older events say so. */
export function presentRemovedDocument(document: Referred): string {
  return JSON.stringify({ ...referenceTo(document), removed: true });
}

function referenceTo({ id, type, status, version }: Referred) {
  return { id: encodeId('document', id), type, status, version };
}

type Shared = Pick<Document, Exclude<ShownField, 'content' | 'excerpt'>>;

/** Content and excerpt stand between them, where an answer has the one or the other. */
const HEAD = SHOWN_FIELDS.slice(0, SHOWN_FIELDS.indexOf('content')) as (keyof Shared)[];
const TAIL = SHOWN_FIELDS.slice(SHOWN_FIELDS.indexOf('excerpt') + 1) as (keyof Shared)[];

function head(document: Shared): string {
  return shownMembers(DOCUMENT_FIELDS, HEAD, document);
}

function tail(document: Shared): string {
  return shownMembers(DOCUMENT_FIELDS, TAIL, document);
}

/** Strong entity tag of a document's version. */
export function documentETag({ version }: Pick<Document, 'version'>): string {
  return `"${String(version)}"`;
}

/** What is said of a document that went into the trash. */
export function deletedForNow(id: string, until: Date): DeletedDocumentDto {
  return { id, deleted: true, permanent: false, restorableUntil: until.toISOString() };
}
