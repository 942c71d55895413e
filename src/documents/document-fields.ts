import { isPerson, readPerson, type Person } from '../auth/person.js';
import {
  isId,
  isOneOf,
  isWholeNumber,
  orNull,
  type MemberCheck,
  type RecordFields,
} from '../envelope/record-fields.js';
import type { FieldProblem } from '../errors/app-error.js';
import { decodeId, encodeId, type IdKind } from '../identifiers/identifiers.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from './document-status.js';
import { DOCUMENT_TYPES, type DocumentType } from './document-type.js';
import { contentProblem, MAX_CONTENT_BYTES, titleProblem } from './dto/text-fields.js';
import { aiSettingsProblems, metadataProblems } from './free-form.js';

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
  templateId: string | null;
  wordCount: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  createdBy: Person;
}

/** What the service has to know of a field; everything that handles documents field by field asks here. */
interface Field<Value, Given = Value> {
  /** Of `documents`, and of `document_versions` if it is versioned. */
  column: string;
  /** Of the column. `json` is kept and shown as the text that was sent. */
  type: 'uuid' | 'text' | 'json' | 'integer' | 'timestamptz';
  /** Its value in answers and events as JSON text, under the name of the property; null hides it from clients. */
  shown: ((value: Value) => string) | null;
  /** Whether it stays what it was when the document was made. */
  constant: boolean;
  /**
   * Whether clients may change it: what it is when they do not say, and after null in a PATCH; for JSON, what can be wrong
   * with what a PATCH makes of it.
   */
  patchable: { initial: Given; problems?: (value: unknown) => FieldProblem[] } | false;
  /**
   * How the versions before the current one keep it: as a copy; as a copy only where the next version has another value
   * (for what is large and never null); or as a delta, which is the content alone. False: it is no part of what a version was.
   */
  versioned: 'copy' | 'if changed' | 'delta' | false;
  /** Takes it out of a line of an account's archive, where it stands as it is shown. False: archives do not have it. */
  archived: ((line: RecordFields, name: string, latest: Date) => Given) | false;
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
    shown: ({ id, name, email }) => JSON.stringify({ id: encodeId('user', id), name, email }),
    archived: takePerson,
  },
} as const satisfies { [Name in keyof Document]: Field<Document[Name]> };

type Fields = typeof DOCUMENT_FIELDS;
type FieldsWith<Traits> = {
  [Name in keyof Document]: Fields[Name] extends Traits ? Name : never;
}[keyof Document];

type FieldsWithout<Traits> = Exclude<keyof Document, FieldsWith<Traits>>;

/** What answers show. */
export type ShownField = FieldsWithout<{ shown: null }>;
/** What clients may change. */
export type PatchableField = FieldsWithout<{ patchable: false }>;
/** What a version was. */
export type VersionedField = FieldsWithout<{ versioned: false }>;
export type CopiedField = FieldsWith<{ versioned: 'copy' }>;
export type KeptIfChangedField = FieldsWith<{ versioned: 'if changed' }>;
/** What archives say of a document. */
export type ArchivedField = FieldsWithout<{ archived: false }>;
type CountedField = FieldsWith<{ counted: true }>;

/** What clients can change of a document, in the form in which it is stored. */
export type DocumentFields = Pick<Document, PatchableField>;

/** A field of which only the name is known. */
type AnyField = Field<never, unknown>;
export const fieldOf = (name: keyof Document): AnyField => DOCUMENT_FIELDS[name];

/** In the order of answers. */
export const ALL_FIELDS = Object.keys(DOCUMENT_FIELDS) as readonly (keyof Document)[];

/** The fields of which a trait is `value`, in order. */
export function fieldsWith<Trait extends keyof AnyField, const Value>(
  trait: Trait,
  value: Value,
): readonly FieldsWith<Record<Trait, Value>>[] {
  return ALL_FIELDS.filter(
    (name): name is FieldsWith<Record<Trait, Value>> => fieldOf(name)[trait] === value,
  );
}

/** The fields of which a trait is anything but `value`. */
export function fieldsWithout<Trait extends keyof AnyField, const Value>(
  trait: Trait,
  value: Value,
): readonly FieldsWithout<Record<Trait, Value>>[] {
  const left = fieldsWith(trait, value) as readonly (keyof Document)[];
  return ALL_FIELDS.filter(
    (name): name is FieldsWithout<Record<Trait, Value>> => !left.includes(name),
  );
}

export const SHOWN_FIELDS = fieldsWithout('shown', null);
export const VERSIONED_FIELDS = fieldsWithout('versioned', false);
export const COPIED_FIELDS = fieldsWith('versioned', 'copy');
export const KEPT_IF_CHANGED = fieldsWith('versioned', 'if changed');
export const ARCHIVED_FIELDS = fieldsWithout('archived', false);
const COUNTED_FIELDS = fieldsWith('counted', true);

/** What clients may change, in the order in which `changes` names it: the status, which has rules of its own, last. */
export const PATCHABLE_FIELDS: readonly PatchableField[] = [
  ...fieldsWithout('patchable', false).filter((name) => name !== 'status'),
  'status',
];

/** What a field is when nobody says what it shall be. */
export const initialOf = (name: PatchableField): DocumentFields[PatchableField] =>
  DOCUMENT_FIELDS[name].patchable.initial;

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

function idOf(kind: IdKind): (uuid: string) => string {
  return (uuid) => `"${encodeId(kind, uuid)}"`;
}

function timeOf(time: Date): string {
  return `"${time.toISOString()}"`;
}

function take<Value>(problemsOf: MemberCheck<Value>): (line: RecordFields, name: string) => Value {
  return (line, name) => line.take(name, problemsOf);
}

function takeId(kind: IdKind): (line: RecordFields, name: string) => string {
  return (line, name) => uuidIn(kind, line.take(name, isId(kind)));
}

function takeTime(line: RecordFields, name: string, latest: Date): Date {
  return line.takeTime(name, latest);
}

/** What is no person is refused at the end of the line. */
function takePerson(line: RecordFields, name: string): Person {
  const person = line.take(name, isPerson);
  return isPerson(person) === undefined ? readPerson(person) : person;
}

/** Of a public id; anything else stays, to be refused at the end of the line. */
function uuidIn<Id extends string | null>(kind: IdKind, id: Id): Id {
  return (typeof id === 'string' ? (decodeId(kind, id) ?? id) : id) as Id;
}
