import type { Person } from '../access/auth/person.js';
import {
  isId,
  isOneOf,
  isWholeNumber,
  orNull,
} from '../../platform/http/envelope/record-fields.js';
import {
  fieldsWith,
  fieldsWithout,
  idOf,
  personOf,
  take,
  takeId,
  takePerson,
  takeTime,
  timeOf,
  uuidIn,
  type Field,
  type FieldsWith,
  type FieldsWithout,
} from '../content/versions/field-map.js';
import type { SearchedFields } from '../search/index-entry.js';
import type { VersionedResource } from '../content/versions/versioned-resource.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from './document-status.js';
import { DOCUMENT_TYPES, type DocumentType } from '../content/document-type.js';
import {
  contentProblem,
  externalIdProblem,
  MAX_CONTENT_BYTES,
  titleProblem,
} from '../content/text-fields.js';
import { aiSettingsProblems, metadataProblems } from '../content/free-form.js';

/** A document as the code handles it. Ids are UUIDs; `metadata` and `aiSettings` are the JSON text that was sent. */
export interface Document {
  id: string;
  accountId: string;
  title: string;
  type: DocumentType;
  content: string;
  excerpt: string;
  status: DocumentStatus;
  metadata: string;
  aiSettings: string;
  /** What the client calls it; of the documents that are not in the trash, one in the account has it. */
  externalId: string | null;
  templateId: string | null;
  wordCount: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  createdBy: Person;
}

/** What the service has to know of a field of documents, beside what it knows of any. */
interface DocumentField<Value, Given = Value> extends Field<Value, Given> {
  /** Whether the words of a search are looked for in it, and rank as those of a title or of a content. */
  searchable: 'title' | 'content' | false;
  /** Whether its bytes count against the storage of the account's plan, as they do in the SQL function `document_bytes`. */
  counted: boolean;
}

/** Of a field that only the service writes and no version keeps. */
const OWN = { patchable: false, versioned: false, searchable: false, counted: false } as const;
const OWN_CONSTANT = { ...OWN, constant: true } as const;
const OWN_CHANGING = { ...OWN, constant: false } as const;

/** Every field, in the order in which answers show them. What the database only needs for itself stands in the entity. */
export const DOCUMENT_FIELDS = {
  id: {
    ...OWN_CONSTANT,
    column: 'id',
    type: 'uuid',
    shown: idOf('document'),
    archived: takeId('document'),
  },
  accountId: { ...OWN_CONSTANT, column: 'account_id', type: 'uuid', shown: null, archived: false },
  title: {
    column: 'title',
    type: 'text',
    shown: JSON.stringify,
    constant: false,
    patchable: { initial: '' },
    versioned: 'copy',
    archived: take<string>(titleProblem),
    searchable: 'title',
    counted: true,
  },
  type: {
    column: 'type',
    type: 'text',
    shown: JSON.stringify,
    constant: false,
    patchable: { initial: 'document' },
    versioned: 'copy',
    archived: take(isOneOf(DOCUMENT_TYPES)),
    searchable: false,
    counted: false,
  },
  content: {
    column: 'content',
    type: 'text',
    shown: JSON.stringify,
    constant: false,
    patchable: { initial: '' },
    versioned: 'delta',
    archived: take<string>(contentProblem),
    searchable: 'content',
    counted: true,
  },
  /** Follows from the content; lists show it in its place. */
  excerpt: {
    ...OWN_CHANGING,
    column: 'excerpt',
    type: 'text',
    shown: JSON.stringify,
    archived: false,
  },
  status: {
    column: 'status',
    type: 'text',
    shown: JSON.stringify,
    constant: false,
    patchable: { initial: 'draft' },
    versioned: 'copy',
    archived: take(isOneOf(DOCUMENT_STATUSES)),
    searchable: false,
    counted: false,
  },
  metadata: {
    column: 'metadata',
    type: 'json',
    shown: (text) => text,
    constant: false,
    patchable: { initial: '{}', problems: metadataProblems },
    versioned: 'if changed',
    archived: (line, name) => line.takeSource(name, metadataProblems),
    searchable: false,
    counted: true,
  },
  aiSettings: {
    column: 'ai_settings',
    type: 'json',
    shown: (text) => text,
    constant: false,
    patchable: { initial: '{}', problems: aiSettingsProblems },
    versioned: 'if changed',
    archived: (line, name) => line.takeSource(name, aiSettingsProblems),
    searchable: false,
    counted: true,
  },
  /** Versions keep it because each change of an answer makes one; like the status it stays when one is restored. */
  externalId: {
    column: 'external_id',
    type: 'text',
    shown: JSON.stringify,
    constant: false,
    patchable: { initial: null },
    versioned: 'copy',
    archived: (line, name) => line.takeOr<string | null>(name, orNull(externalIdProblem), null),
    searchable: false,
    counted: false,
  },
  templateId: {
    ...OWN_CONSTANT,
    column: 'template_id',
    type: 'uuid',
    shown: (id) => (id === null ? 'null' : idOf('template')(id)),
    archived: (line, name) => uuidIn('template', line.take(name, orNull(isId('template')))),
  },
  wordCount: {
    column: 'word_count',
    type: 'integer',
    shown: String,
    constant: false,
    patchable: false,
    versioned: 'copy',
    archived: take(isWholeNumber(0, MAX_CONTENT_BYTES)),
    searchable: false,
    counted: false,
  },
  version: {
    ...OWN_CHANGING,
    column: 'version',
    type: 'integer',
    shown: String,
    archived: take(isWholeNumber(1, 2_147_483_647)),
  },
  createdAt: {
    ...OWN_CONSTANT,
    column: 'created_at',
    type: 'timestamptz',
    shown: timeOf,
    archived: takeTime,
  },
  updatedAt: {
    ...OWN_CHANGING,
    column: 'updated_at',
    type: 'timestamptz',
    shown: timeOf,
    archived: takeTime,
  },
  createdBy: {
    ...OWN_CONSTANT,
    column: 'created_by',
    type: 'uuid',
    shown: personOf,
    archived: takePerson,
  },
} as const satisfies { [Name in keyof Document]: DocumentField<Document[Name]> };

type Fields = typeof DOCUMENT_FIELDS;

/** What answers show. */
export type ShownField = FieldsWithout<Fields, { shown: null }>;
/** What clients may change. */
export type PatchableField = FieldsWithout<Fields, { patchable: false }>;
/** What a version was. */
export type VersionedField = FieldsWithout<Fields, { versioned: false }>;
export type CopiedField = FieldsWith<Fields, { versioned: 'copy' }>;
export type KeptIfChangedField = FieldsWith<Fields, { versioned: 'if changed' }>;
/** What archives say of a document. */
export type ArchivedField = FieldsWithout<Fields, { archived: false }>;
type CountedField = FieldsWith<Fields, { counted: true }>;

/** What clients can change of a document, in the form in which it is stored. */
export type DocumentFields = Pick<Document, PatchableField>;

/** A field of which only the name is known. */
type AnyField = DocumentField<never, unknown>;
export const fieldOf = (name: keyof Document): AnyField => DOCUMENT_FIELDS[name];

/** Documents as the stack of versions knows them. */
export const DOCUMENTS: VersionedResource = {
  kind: 'document',
  table: 'documents',
  versionTable: 'document_versions',
  owner: 'document_id',
  fields: DOCUMENT_FIELDS,
  hasOrigin: true,
};

/** In the order of answers. */
export const ALL_FIELDS = Object.keys(DOCUMENT_FIELDS) as readonly (keyof Document)[];

export const SHOWN_FIELDS = fieldsWithout(DOCUMENT_FIELDS, 'shown', null);
export const VERSIONED_FIELDS = fieldsWithout(DOCUMENT_FIELDS, 'versioned', false);
export const COPIED_FIELDS = fieldsWith(DOCUMENT_FIELDS, 'versioned', 'copy');
export const KEPT_IF_CHANGED = fieldsWith(DOCUMENT_FIELDS, 'versioned', 'if changed');
export const ARCHIVED_FIELDS = fieldsWithout(DOCUMENT_FIELDS, 'archived', false);
const COUNTED_FIELDS = fieldsWith(DOCUMENT_FIELDS, 'counted', true);

/** What clients may change, in the order in which `changes` names it: the status, which has rules of its own, last. */
export const PATCHABLE_FIELDS: readonly PatchableField[] = [
  ...fieldsWithout(DOCUMENT_FIELDS, 'patchable', false).filter((name) => name !== 'status'),
  'status',
];

/** What neither replacing a document nor restoring a version of it touches, unless it is named. */
export const STAYING_FIELDS = ['status', 'externalId'] as const satisfies PatchableField[];

/** What a field is when nobody says what it shall be. */
export const initialOf = (name: PatchableField): DocumentFields[PatchableField] =>
  DOCUMENT_FIELDS[name].patchable.initial;

/** What the search index reads of documents. */
export const SEARCHED_DOCUMENT_FIELDS: SearchedFields = {
  titles: columnsOf(fieldsWith(DOCUMENT_FIELDS, 'searchable', 'title')),
  contents: columnsOf(fieldsWith(DOCUMENT_FIELDS, 'searchable', 'content')),
};

function columnsOf(names: readonly (keyof Document)[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, DOCUMENT_FIELDS[name].column]));
}

/** UTF-8 bytes of what is stored of a document and counts, as `document_bytes` in the database counts them. */
export function storedBytes(document: Pick<Document, CountedField>): number {
  return COUNTED_FIELDS.reduce((bytes, name) => bytes + Buffer.byteLength(document[name]), 0);
}

const EXCERPT_CHARACTERS = 200;

/** The first 200 characters (code points) of the content. */
export function excerptOf(content: string): string {
  let end = 0;
  for (let characters = 0; characters < EXCERPT_CHARACTERS; characters += 1) {
    end += (content.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return content.slice(0, end);
}
