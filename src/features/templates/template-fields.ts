import type { Person } from '../access/auth/person.js';
import { DOCUMENT_TYPES, type DocumentType } from '../content/document-type.js';
import { contentProblem, titleProblem } from '../content/text-fields.js';
import { aiSettingsProblems, metadataProblems } from '../content/open-objects.js';
import {
  isOneOf,
  isWholeNumber,
  orNull,
  type RecordFields,
} from '../../platform/http/envelope/record-fields.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import {
  fieldsWithout,
  idOf,
  personOf,
  take,
  takeId,
  takePerson,
  takeTime,
  timeOf,
  type AnyField,
  type Field,
  type FieldsWithout,
} from '../content/versioning/field-map.js';
import type { VersionedResource } from '../content/versioning/versioned-resource.js';
import { descriptionProblem, templateNameProblem } from './dto/template-texts.js';
import { readVariables, variablesProblems, type DeclaredVariable } from './variables/variables.js';

/** A template as the code handles it. Ids are UUIDs; `metadata` and `aiSettings` are the JSON text that was sent. */
export interface Template {
  id: string;
  accountId: string;
  name: string;
  description: string | null;
  type: DocumentType;
  /** Of the documents made from it, with variables; null leaves it to them. */
  title: string | null;
  content: string;
  /** JSON text of an array of `Variable`s. */
  variables: string;
  metadata: string;
  aiSettings: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Null for one that came with the account. */
  createdBy: Person | null;
}

/** Of a field that only the service writes and no version keeps. */
const OWN = { patchable: false, versioned: false } as const;
/** Of a field that clients change. Versions keep all but the content as copies, which their lists show. */
const CLIENTS = { constant: false, versioned: 'copy' } as const;

/** Every field, in the order in which answers show them. What the database only needs for itself stands in the entity. */
export const TEMPLATE_FIELDS = {
  id: {
    ...OWN,
    column: 'id',
    type: 'uuid',
    shown: idOf('template'),
    constant: true,
    archived: takeId('template'),
  },
  accountId: {
    ...OWN,
    column: 'account_id',
    type: 'uuid',
    shown: null,
    constant: true,
    archived: false,
  },
  name: {
    ...CLIENTS,
    column: 'name',
    type: 'text',
    shown: JSON.stringify,
    patchable: { initial: '' },
    archived: take<string>(templateNameProblem),
  },
  description: {
    ...CLIENTS,
    column: 'description',
    type: 'text',
    shown: JSON.stringify,
    patchable: { initial: null },
    archived: take<string | null>(orNull(descriptionProblem)),
  },
  type: {
    ...CLIENTS,
    column: 'type',
    type: 'text',
    shown: JSON.stringify,
    patchable: { initial: 'document' },
    archived: take(isOneOf(DOCUMENT_TYPES)),
  },
  title: {
    ...CLIENTS,
    column: 'title',
    type: 'text',
    shown: JSON.stringify,
    patchable: { initial: null },
    archived: take<string | null>(orNull(titleProblem)),
  },
  content: {
    column: 'content',
    type: 'text',
    shown: JSON.stringify,
    constant: false,
    patchable: { initial: '' },
    versioned: 'delta',
    archived: take<string>(contentProblem),
  },
  variables: {
    ...CLIENTS,
    column: 'variables',
    type: 'json text',
    shown: (text) => text,
    patchable: { initial: '[]' },
    archived: takeVariables,
  },
  metadata: {
    ...CLIENTS,
    column: 'metadata',
    type: 'json text',
    shown: (text) => text,
    patchable: { initial: '{}', problems: metadataProblems },
    archived: (line, name) => line.takeSource(name, metadataProblems),
  },
  aiSettings: {
    ...CLIENTS,
    column: 'ai_settings',
    type: 'json text',
    shown: (text) => text,
    patchable: { initial: '{}', problems: aiSettingsProblems },
    archived: (line, name) => line.takeSource(name, aiSettingsProblems),
  },
  version: {
    ...OWN,
    column: 'version',
    type: 'integer',
    shown: String,
    constant: false,
    archived: take(isWholeNumber(1, 2_147_483_647)),
  },
  createdAt: {
    ...OWN,
    column: 'created_at',
    type: 'timestamptz',
    shown: timeOf,
    constant: true,
    archived: takeTime,
  },
  updatedAt: {
    ...OWN,
    column: 'updated_at',
    type: 'timestamptz',
    shown: timeOf,
    constant: false,
    archived: takeTime,
  },
  createdBy: {
    ...OWN,
    column: 'created_by',
    type: 'uuid',
    shown: (person) => (person === null ? 'null' : personOf(person)),
    constant: true,
    archived: takePersonOrNull,
  },
} as const satisfies { [Name in keyof Template]: Field<Template[Name]> };

type Fields = typeof TEMPLATE_FIELDS;

/** What answers show. */
export type ShownField = FieldsWithout<Fields, { shown: null }>;
/** What clients may change. */
export type PatchableField = FieldsWithout<Fields, { patchable: false }>;
/** What a version was. */
type VersionedField = FieldsWithout<Fields, { versioned: false }>;
type ArchivedField = FieldsWithout<Fields, { archived: false }>;

/** What clients can change of a template, in the form in which it is stored. */
export type TemplateFields = Pick<Template, PatchableField>;
/** What a template was at a version. */
export type TemplateState = Pick<Template, VersionedField>;
/** What archives say of a template. */
export type ArchivedFields = Pick<Template, ArchivedField>;

/** Templates as the stack of versions knows them. */
export const TEMPLATES: VersionedResource = {
  kind: 'template',
  table: 'templates',
  versionTable: 'template_versions',
  owner: 'template_id',
  fields: TEMPLATE_FIELDS,
};

export const fieldOf = (name: keyof Template): AnyField => TEMPLATE_FIELDS[name];

export const ALL_FIELDS = Object.keys(TEMPLATE_FIELDS) as readonly (keyof Template)[];
export const SHOWN_FIELDS = fieldsWithout(TEMPLATE_FIELDS, 'shown', null);
export const PATCHABLE_FIELDS = fieldsWithout(TEMPLATE_FIELDS, 'patchable', false);
export const VERSIONED_FIELDS = fieldsWithout(TEMPLATE_FIELDS, 'versioned', false);
export const ARCHIVED_FIELDS = fieldsWithout(TEMPLATE_FIELDS, 'archived', false);

/** Most templates of an account, beside starters that come later: they are counted and searched at every list. */
export const MAX_TEMPLATES = 1_000;

/** The answer to a creation beyond {@link MAX_TEMPLATES}. */
export function tooManyTemplates(): AppError {
  return new AppError(
    'conflict',
    `This account has ${String(MAX_TEMPLATES)} templates, the most it may have. Delete one that is not needed any more.`,
  );
}

/** What is not right is refused at the end of the line. */
function takeVariables(line: RecordFields, name: string): string {
  const variables = line.take<DeclaredVariable[]>(name, variablesProblems);
  const isRight = variablesProblems(variables).length === 0;
  return isRight ? JSON.stringify(readVariables(variables)) : '[]';
}

function takePersonOrNull(line: RecordFields, name: string): Person | null {
  return line.isNull(name) ? null : takePerson(line, name);
}
