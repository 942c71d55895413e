import type { DocumentType } from '../documents/document-type.js';
import type { Person, Template, TemplateVersion } from './template.js';
import type { Variable } from './variables.js';

/** What templates and their versions have in common; `variables`, `metadata` and `ai_settings` are JSON text. */
interface FieldsRow {
  account_id: string;
  name: string;
  description: string | null;
  type: DocumentType;
  title: string | null;
  variables: string;
  metadata: string;
  ai_settings: string;
  created_at: Date;
  person_id: string | null;
  person_name: string;
  person_email: string;
}

/** A row of `templates AS item` with who made it, without its content. */
export interface TemplateRow extends FieldsRow {
  id: string;
  version: number;
  updated_at: Date;
}

/** A row of `template_versions AS item` with who made it, without its content. */
export interface TemplateVersionRow extends FieldsRow {
  number: number;
  changes: string[];
}

const FIELD_COLUMNS = `item.account_id, item.name, item.description, item.type, item.title, item.variables,
  item.metadata, item.ai_settings, item.created_at, person.id AS person_id, person.name AS person_name,
  person.email AS person_email`;

export const TEMPLATE_COLUMNS = `${FIELD_COLUMNS}, item.id, item.version, item.updated_at`;

export const TEMPLATE_VERSION_COLUMNS = `${FIELD_COLUMNS}, item.number, item.changes`;

/** Who made it; nobody made what came with the account. */
export const TEMPLATE_JOINS = joinUser('created_by');
export const TEMPLATE_VERSION_JOINS = joinUser('author');

/** The template of a row; its content is read only where it is wanted. */
export function fromTemplateRow(row: TemplateRow): Omit<Template, 'content'> {
  return {
    ...fieldsOf(row),
    createdBy: personOf(row),
    id: row.id,
    accountId: row.account_id,
    version: row.version,
    updatedAt: row.updated_at,
  };
}

/** The version of a row, likewise. */
export function fromVersionRow(row: TemplateVersionRow): Omit<TemplateVersion, 'content'> {
  return { ...fieldsOf(row), author: personOf(row), number: row.number, changes: row.changes };
}

function fieldsOf(row: FieldsRow) {
  return {
    name: row.name,
    description: row.description,
    type: row.type,
    title: row.title,
    variables: JSON.parse(row.variables) as Variable[],
    metadata: row.metadata,
    aiSettings: row.ai_settings,
    createdAt: row.created_at,
  };
}

function personOf({ person_id: id, person_name: name, person_email: email }: FieldsRow) {
  return id === null ? null : ({ id, name, email } satisfies Person);
}

function joinUser(column: string): string {
  return `LEFT JOIN LATERAL (SELECT * FROM users WHERE users.id = item.${column} LIMIT 1) AS person ON true`;
}
