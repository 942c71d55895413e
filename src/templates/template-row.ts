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
  creator_id: string | null;
  creator_name: string;
  creator_email: string;
}

/** A row of `templates AS item` with its creator, without its content. */
export interface TemplateRow extends FieldsRow {
  id: string;
  version: number;
  updated_at: Date;
}

/** A row of `template_versions AS item` with its creator, without its content. */
export interface TemplateVersionRow extends FieldsRow {
  template_id: string;
  number: number;
  changes: string[];
}

const FIELD_COLUMNS = `item.account_id, item.name, item.description, item.type, item.title, item.variables,
  item.metadata, item.ai_settings, item.created_at, creator.id AS creator_id, creator.name AS creator_name,
  creator.email AS creator_email`;

export const TEMPLATE_COLUMNS = `${FIELD_COLUMNS}, item.id, item.version, item.updated_at`;

export const TEMPLATE_VERSION_COLUMNS = `${FIELD_COLUMNS}, item.template_id, item.number, item.changes`;

/** What came with the account was made by nobody. */
export const CREATOR_JOIN =
  'LEFT JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS creator ON true';

/** The template of a row; its content is read only where it is wanted. */
export function fromTemplateRow(row: TemplateRow): Omit<Template, 'content'> {
  return {
    ...fieldsOf(row),
    id: row.id,
    accountId: row.account_id,
    version: row.version,
    updatedAt: row.updated_at,
  };
}

/** The version of a row, likewise. */
export function fromVersionRow(row: TemplateVersionRow): Omit<TemplateVersion, 'content'> {
  const { template_id: templateId, number, changes } = row;
  return { ...fieldsOf(row), templateId, number, changes };
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
    createdBy: creatorOf(row),
  };
}

function creatorOf({ creator_id: id, creator_name: name, creator_email: email }: FieldsRow) {
  return id === null ? null : ({ id, name, email } satisfies Person);
}
