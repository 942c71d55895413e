import type { Person } from '../auth/person.js';
import { DOCUMENT_TYPES, type DocumentType } from '../content/document-type.js';
import { contentProblem, titleProblem } from '../content/text-fields.js';
import { aiSettingsProblems, metadataProblems } from '../content/open-objects.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import {
  fieldsWithout,
  idOf,
  personOf,
  timeOf,
  type AnyField,
  type Field,
  type FieldsWithout,
} from '../content/versioning/field-map.js';
import {
  checked,
  oneOf,
  openObject,
  person,
  time,
  uuid,
  wholeNumber,
} from '../content/versioning/archive-schemas.js';
import { MAX_INT32 } from '../../platform/openapi/schemas.js';
import type { VersionedResource } from '../content/versioning/versioned-resource.js';
import { descriptionProblem, templateNameProblem } from './dto/template-texts.js';
import { readVariables, variablesProblems, type DeclaredVariable } from './variables/variables.js';

/** A template. Ids are UUIDs; `metadata` and `aiSettings` are the JSON text that was sent. */
export interface Template {
  id: string;
  accountId: string;
  name: string;
  description: string | null;
  type: DocumentType;
  /** Title of documents created from the template, with variables; null if they must set their own. */
  title: string | null;
  content: string;
  /** JSON text of an array of `Variable`s. */
  variables: string;
  metadata: string;
  aiSettings: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Null for a starter template. */
  createdBy: Person | null;
}

/** Traits of a field that only the service writes and that versions do not include. */
const OWN = { patchable: false, versioned: false } as const;
const OWN_CONSTANT = { ...OWN, constant: true } as const;
const OWN_CHANGING = { ...OWN, constant: false } as const;
/** Traits of fields that clients change. Versions copy all but the content, and version lists show them. */
const TEXT = { type: 'text', constant: false, versioned: 'copy', shown: JSON.stringify } as const;
const JSON_TEXT = {
  type: 'json text',
  constant: false,
  versioned: 'copy',
  shown: (text: string) => text,
} as const;
const TIME = { type: 'timestamptz', shown: timeOf, archived: time } as const;

/** Every field, in response order. Columns that only the database needs are in the entity. */
export const TEMPLATE_FIELDS = {
  id: {
    ...OWN_CONSTANT,
    column: 'id',
    type: 'uuid',
    shown: idOf('template'),
    archived: uuid('template'),
  },
  accountId: { ...OWN_CONSTANT, column: 'account_id', type: 'uuid', shown: null, archived: false },
  name: {
    ...TEXT,
    column: 'name',
    patchable: { initial: '' },
    archived: checked<string>(templateNameProblem),
  },
  description: {
    ...TEXT,
    column: 'description',
    patchable: { initial: null },
    archived: checked<string>(descriptionProblem).nullable(),
  },
  type: {
    ...TEXT,
    column: 'type',
    patchable: { initial: 'document' },
    archived: oneOf(DOCUMENT_TYPES),
  },
  title: {
    ...TEXT,
    column: 'title',
    patchable: { initial: null },
    archived: checked<string>(titleProblem).nullable(),
  },
  content: {
    ...TEXT,
    column: 'content',
    patchable: { initial: '' },
    versioned: 'delta',
    archived: checked<string>(contentProblem),
  },
  variables: {
    ...JSON_TEXT,
    column: 'variables',
    patchable: { initial: '[]' },
    archived: checked<DeclaredVariable[]>(variablesProblems).transform((variables) =>
      JSON.stringify(readVariables(variables)),
    ),
  },
  metadata: {
    ...JSON_TEXT,
    column: 'metadata',
    patchable: { initial: '{}', problems: metadataProblems },
    archived: openObject(metadataProblems),
  },
  aiSettings: {
    ...JSON_TEXT,
    column: 'ai_settings',
    patchable: { initial: '{}', problems: aiSettingsProblems },
    archived: openObject(aiSettingsProblems),
  },
  version: {
    ...OWN_CHANGING,
    column: 'version',
    type: 'integer',
    shown: String,
    archived: wholeNumber(1, MAX_INT32),
  },
  createdAt: { ...OWN_CONSTANT, ...TIME, column: 'created_at' },
  updatedAt: { ...OWN_CHANGING, ...TIME, column: 'updated_at' },
  createdBy: {
    ...OWN_CONSTANT,
    column: 'created_by',
    type: 'uuid',
    shown: (creator) => (creator === null ? 'null' : personOf(creator)),
    archived: person.nullable(),
  },
} as const satisfies { [Name in keyof Template]: Field<Template[Name]> };

type Fields = typeof TEMPLATE_FIELDS;

export type ShownField = FieldsWithout<Fields, { shown: null }>;
export type PatchableField = FieldsWithout<Fields, { patchable: false }>;
type VersionedField = FieldsWithout<Fields, { versioned: false }>;
type ArchivedField = FieldsWithout<Fields, { archived: false }>;

/** The fields that clients can change, in their stored form. */
export type TemplateFields = Pick<Template, PatchableField>;
/** The fields of a template version. */
export type TemplateState = Pick<Template, VersionedField>;
export type ArchivedFields = Pick<Template, ArchivedField>;

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

/** Maximum number of templates per account, without starter templates. Each list request counts and searches them. */
export const MAX_TEMPLATES = 1_000;

/** Returns the error for a template beyond {@link MAX_TEMPLATES}. */
export function tooManyTemplates(): AppError {
  return new AppError(
    'conflict',
    `This account has ${String(MAX_TEMPLATES)} templates, which is the maximum. Delete a template you no longer need.`,
  );
}
