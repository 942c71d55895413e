import type { Person } from '../../auth/person.js';
import {
  fieldsWith,
  fieldsWithout,
  idOf,
  personOf,
  timeOf,
  type Field,
  type FieldsWith,
  type FieldsWithout,
} from '../../content/versioning/field-map.js';
import {
  checked,
  oneOf,
  openObject,
  person,
  time,
  uuid,
  wholeNumber,
} from '../../content/versioning/archive-schemas.js';
import { MAX_INT32 } from '../../../platform/openapi/schemas.js';
import type { SearchedFields } from '../../search/indexing/index-entry.js';
import type { VersionedResource } from '../../content/versioning/versioned-resource.js';
import { ROOT } from '../../auth/access/rights.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import {
  contentProblem,
  externalIdProblem,
  MAX_CONTENT_BYTES,
  titleProblem,
} from '../../content/text-fields.js';
import { aiSettingsProblems, metadataProblems } from '../../content/open-objects.js';

/** Document statuses. A new document is a draft. */
export const DOCUMENT_STATUSES = ['draft', 'in_review', 'published', 'archived'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Allowed transitions from each status. */
const TRANSITIONS: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  draft: ['in_review', 'published', 'archived'],
  in_review: ['draft', 'published', 'archived'],
  published: ['draft', 'archived'],
  archived: ['draft'],
};

/** Returns the statuses that can follow, without the current one. */
export function allowedFrom(status: DocumentStatus): readonly DocumentStatus[] {
  return TRANSITIONS[status];
}

/** True if a transition is allowed. Keeping the status is always allowed. */
export function isAllowed(from: DocumentStatus, to: DocumentStatus): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}

/** A document. Ids are UUIDs; `metadata` and `aiSettings` are the JSON text that was sent. */
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
  /** The client's id of the document, unique in the account except for the trash. */
  externalId: string | null;
  /** The UUID of its collection, or {@link ROOT}. */
  collectionId: string;
  templateId: string | null;
  wordCount: number;
  version: number;
  /** The version that readers get. Null if the document is not published. */
  publishedVersion: number | null;
  /** True if a version after the published one changed more than the {@link STICKY_FIELDS}. */
  hasUnpublishedChanges: boolean;
  createdAt: Date;
  updatedAt: Date;
  createdBy: Person;
  /** Who made the current version. */
  updatedBy: Person;
}

/** The traits of a document field. */
interface DocumentField<Value, Given = Value> extends Field<Value, Given> {
  /** Ranks search matches like words of a title or of content. False if searches ignore the field. */
  searchable: 'title' | 'content' | false;
  /** True if its bytes count against the plan's storage. The SQL function `document_bytes` must count the same fields. */
  counted: boolean;
}

/** Traits of a field that only the service writes and that versions do not include. */
const OWN = { patchable: false, versioned: false, searchable: false, counted: false } as const;
const OWN_CONSTANT = { ...OWN, constant: true } as const;
const OWN_CHANGING = { ...OWN, constant: false } as const;

/** Every field, in response order. Columns that only the database needs are in the entity. */
export const DOCUMENT_FIELDS = {
  id: {
    ...OWN_CONSTANT,
    column: 'id',
    type: 'uuid',
    shown: idOf('document'),
    archived: uuid('document'),
  },
  accountId: { ...OWN_CONSTANT, column: 'account_id', type: 'uuid', shown: null, archived: false },
  title: {
    column: 'title',
    type: 'text',
    shown: JSON.stringify,
    constant: false,
    patchable: { initial: '' },
    versioned: 'copy',
    archived: checked<string>(titleProblem),
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
    archived: oneOf(DOCUMENT_TYPES),
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
    archived: checked<string>(contentProblem),
    searchable: 'content',
    counted: true,
  },
  /** Start of the content; lists return it instead of the content. */
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
    archived: oneOf(DOCUMENT_STATUSES),
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
    archived: openObject(metadataProblems),
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
    archived: openObject(aiSettingsProblems),
    searchable: false,
    counted: true,
  },
  /** Versions include it because changing it creates a version. Restoring a version does not change it. */
  externalId: {
    column: 'external_id',
    type: 'text',
    shown: JSON.stringify,
    constant: false,
    patchable: { initial: null },
    versioned: 'copy',
    // Archives of older releases lack it.
    archived: checked<string>(externalIdProblem).nullable().default(null),
    searchable: false,
    counted: false,
  },
  /** A move creates a version, but versions do not say where a document was: others may not see that collection. */
  collectionId: {
    column: 'collection_id',
    type: 'uuid',
    shown: (id) => (id === ROOT ? 'null' : idOf('collection')(id)),
    constant: false,
    patchable: { initial: ROOT },
    versioned: false,
    archived: false,
    searchable: false,
    counted: false,
  },
  templateId: {
    ...OWN_CONSTANT,
    column: 'template_id',
    type: 'uuid',
    shown: (id) => (id === null ? 'null' : idOf('template')(id)),
    archived: uuid('template').nullable(),
  },
  wordCount: {
    column: 'word_count',
    type: 'integer',
    shown: String,
    constant: false,
    patchable: false,
    versioned: 'copy',
    archived: wholeNumber(0, MAX_CONTENT_BYTES),
    searchable: false,
    counted: false,
  },
  version: {
    ...OWN_CHANGING,
    column: 'version',
    type: 'integer',
    shown: String,
    archived: wholeNumber(1, MAX_INT32),
  },
  /** Clients see both as `published`, which documents without a published version lack. */
  publishedVersion: {
    ...OWN_CHANGING,
    column: 'published_version',
    type: 'integer',
    shown: null,
    archived: false,
  },
  hasUnpublishedChanges: {
    ...OWN_CHANGING,
    column: 'has_unpublished_changes',
    type: 'boolean',
    shown: null,
    archived: false,
  },
  createdAt: {
    ...OWN_CONSTANT,
    column: 'created_at',
    type: 'timestamptz',
    shown: timeOf,
    archived: time,
  },
  updatedAt: {
    ...OWN_CHANGING,
    column: 'updated_at',
    type: 'timestamptz',
    shown: timeOf,
    archived: time,
  },
  createdBy: {
    ...OWN_CONSTANT,
    column: 'created_by',
    type: 'uuid',
    shown: personOf,
    archived: person,
  },
  /** Archives have it as the author of the current version. */
  updatedBy: {
    ...OWN_CHANGING,
    column: 'version_author',
    type: 'uuid',
    shown: personOf,
    archived: false,
  },
} as const satisfies { [Name in keyof Document]: DocumentField<Document[Name]> };

type Fields = typeof DOCUMENT_FIELDS;

export type ShownField = FieldsWithout<Fields, { shown: null }>;
export type PatchableField = FieldsWithout<Fields, { patchable: false }>;
export type VersionedField = FieldsWithout<Fields, { versioned: false }>;
export type CopiedField = FieldsWith<Fields, { versioned: 'copy' }>;
export type ArchivedField = FieldsWithout<Fields, { archived: false }>;
type CountedField = FieldsWith<Fields, { counted: true }>;

export type DocumentFields = Pick<Document, PatchableField>;

/** A field whose value type is not known. */
type AnyField = DocumentField<never, unknown>;
export const fieldOf = (name: keyof Document): AnyField => DOCUMENT_FIELDS[name];

export const DOCUMENTS: VersionedResource = {
  kind: 'document',
  table: 'documents',
  versionTable: 'document_versions',
  owner: 'document_id',
  fields: DOCUMENT_FIELDS,
  hasOrigin: true,
};

/** All fields in response order. */
export const ALL_FIELDS = Object.keys(DOCUMENT_FIELDS) as readonly (keyof Document)[];

export const SHOWN_FIELDS = fieldsWithout(DOCUMENT_FIELDS, 'shown', null);
export const VERSIONED_FIELDS = fieldsWithout(DOCUMENT_FIELDS, 'versioned', false);
export const COPIED_FIELDS = fieldsWith(DOCUMENT_FIELDS, 'versioned', 'copy');
export const IF_CHANGED_FIELDS = fieldsWith(DOCUMENT_FIELDS, 'versioned', 'if changed');
export const ARCHIVED_FIELDS = fieldsWithout(DOCUMENT_FIELDS, 'archived', false);
const COUNTED_FIELDS = fieldsWith(DOCUMENT_FIELDS, 'counted', true);

/** Fields that clients can change, in the order of `changes`: the status comes last. */
export const PATCHABLE_FIELDS: readonly PatchableField[] = [
  ...fieldsWithout(DOCUMENT_FIELDS, 'patchable', false).filter((name) => name !== 'status'),
  'status',
];

/** Fields that change when a document is replaced or a version restored only if the request names them. */
export const STICKY_FIELDS = [
  'status',
  'externalId',
  'collectionId',
] as const satisfies PatchableField[];

type RestoredField = Exclude<PatchableField, (typeof STICKY_FIELDS)[number]>;

const RESTORED_FIELDS = PATCHABLE_FIELDS.filter(
  (name): name is RestoredField => !STICKY_FIELDS.some((one) => one === name),
);

/** Returns the fields of a version or publication that restoring it sets. */
export function restoredFields(
  version: Pick<Document, RestoredField>,
): Pick<DocumentFields, RestoredField> {
  const fields = RESTORED_FIELDS.map((name) => [name, version[name]]);
  return Object.fromEntries(fields) as Pick<DocumentFields, RestoredField>;
}

/** Returns the default value of a field. */
export const initialOf = (name: PatchableField): DocumentFields[PatchableField] =>
  DOCUMENT_FIELDS[name].patchable.initial;

/** The columns that the search index reads. */
export const SEARCHED_DOCUMENT_FIELDS: SearchedFields = {
  titles: columnsOf(fieldsWith(DOCUMENT_FIELDS, 'searchable', 'title')),
  contents: columnsOf(fieldsWith(DOCUMENT_FIELDS, 'searchable', 'content')),
};

function columnsOf(names: readonly (keyof Document)[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, DOCUMENT_FIELDS[name].column]));
}

/** Returns the UTF-8 bytes that count against the plan, like `document_bytes` in the database. */
export function storedBytes(document: Pick<Document, CountedField>): number {
  return COUNTED_FIELDS.reduce((bytes, name) => bytes + Buffer.byteLength(document[name]), 0);
}

const EXCERPT_CHARACTERS = 200;

/** Returns the first 200 code points of content. */
export function excerptOf(content: string): string {
  let end = 0;
  for (let characters = 0; characters < EXCERPT_CHARACTERS; characters += 1) {
    end += (content.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return content.slice(0, end);
}

/** The origin of a version that a person did not create directly. Ids are public ids. */
export type VersionOrigin =
  | {
      type: 'enhancement';
      enhancementId: string;
      /** The suggestions that the version applies. */
      suggestionIds: readonly string[];
    }
  | {
      type: 'merge';
      /** The version that the request changed. It was merged with the version before this one. */
      baseVersion: number;
    };
