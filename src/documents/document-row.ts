import type { Person } from '../auth/person.js';
import type { StoredDocument } from './document-change.js';
import {
  DOCUMENT_FIELDS,
  fieldOf,
  fieldsWith,
  ALL_FIELDS,
  COPIED_FIELDS,
  KEPT_IF_CHANGED,
  type CopiedField,
  type Document,
  type KeptIfChangedField,
} from './document-fields.js';

const CHANGING = fieldsWith('constant', false);
/** What a row says of a document beside its content; the creator is joined. */
const READ = ALL_FIELDS.filter((name) => !['accountId', 'content', 'createdBy'].includes(name));
/** Beside the content, which comes as JSON text already. */
const WRITTEN = ALL_FIELDS.filter((name) => name !== 'content');

/** A row of `documents AS item JOIN users AS creator`, without its content. */
export type DocumentRow = Omit<Document, 'accountId' | 'content' | 'createdBy'> & {
  creatorId: string;
  creatorName: string;
  creatorEmail: string;
};

/** The columns of fields for a SELECT, named like the fields. */
export const selected = (table: string, names: readonly (keyof Document)[]) =>
  names.map((name) => `${table}.${columnOf(name)} AS "${name}"`).join(', ');

export const DOCUMENT_COLUMNS = [
  selected('item', READ),
  'creator.id AS "creatorId", creator.name AS "creatorName", creator.email AS "creatorEmail"',
].join(', ');

export const DOCUMENT_JOINS =
  'CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS creator';

/** The document of a row; its content is read only where it is wanted. */
export function fromRow(row: DocumentRow): Omit<Document, 'accountId' | 'content'> {
  const document: Record<string, unknown> = {};
  for (const name of READ) document[name] = row[name as keyof DocumentRow];
  document['createdBy'] = { id: row.creatorId, name: row.creatorName, email: row.creatorEmail };
  return document as unknown as Omit<Document, 'accountId' | 'content'>;
}

/** The columns of a {@link StoredRow}. */
export const STORED_COLUMNS = `${DOCUMENT_COLUMNS}, item.account_id AS "accountId", item.content,
  item.delta_bytes AS "deltaBytes", item.delta_count AS "deltaCount"`;

/** A document with all that a change of it needs. */
export type StoredRow = DocumentRow &
  Pick<StoredDocument, 'accountId' | 'content' | 'deltaBytes' | 'deltaCount'>;

export function fromStoredRow(row: StoredRow): StoredDocument {
  const { accountId, content, deltaBytes, deltaCount } = row;
  return { ...fromRow(row), accountId, content, deltaBytes, deltaCount };
}

/** Who made a version, of `users AS author`. */
export interface AuthorRow {
  authorId: string;
  authorName: string;
  authorEmail: string;
}
export const AUTHOR_COLUMNS =
  'author.id AS "authorId", author.name AS "authorName", author.email AS "authorEmail"';

export function authorOf({ authorId, authorName, authorEmail }: AuthorRow): Person {
  return { id: authorId, name: authorName, email: authorEmail };
}

/** A document as a row of {@link RECORD}, without its content. */
export function toRow(document: Omit<Document, 'content'>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const name of WRITTEN) row[columnOf(name)] = document[name];
  row['created_by'] = document.createdBy.id;
  return row;
}

/** Columns of a `json_to_recordset` of documents. JSON is handed over as text, which keeps its spelling. */
export const RECORD = ALL_FIELDS.map(recordColumn).join(', ');

/** Columns of an INSERT of documents, and their values of a {@link RECORD}. */
export const INSERTED = ALL_FIELDS.map(columnOf).join(', ');
export const INSERTED_VALUES = ALL_FIELDS.map(recordValue).join(', ');

/** The assignments that make `item` what the {@link RECORD} `wanted` says; a content that stays is not sent. */
export const CHANGED = CHANGING.map((name) => {
  const column = columnOf(name);
  if (name === 'content') return `${column} = coalesce(wanted.${column}, item.${column})`;
  return `${column} = wanted.${column}${isJson(name) ? '::json' : ''}`;
}).join(', ');

type VersionColumn = CopiedField | KeptIfChangedField;

/** Columns of versions beside the content, and what `documents AS old` has for them; `changes` are the names that change. */
export const VERSION_COLUMNS: readonly VersionColumn[] = [...COPIED_FIELDS, ...KEPT_IF_CHANGED];
export const KEPT_COLUMNS = VERSION_COLUMNS.map(columnOf).join(', ');
export const KEPT_RECORD = VERSION_COLUMNS.map(recordColumn).join(', ');
export const KEPT_RECORD_VALUES = VERSION_COLUMNS.map(recordValue).join(', ');
export const KEPT_VALUES = VERSION_COLUMNS.map((name) =>
  DOCUMENT_FIELDS[name].versioned === 'copy'
    ? `old.${columnOf(name)}`
    : `CASE WHEN '${name}' = ANY (wanted.changes) THEN old.${columnOf(name)} END`,
).join(', ');

/** The same of a version in memory, beside the next one. */
export function toVersionRow(
  version: Pick<Document, VersionColumn>,
  next: Pick<Document, VersionColumn>,
): Record<string, unknown> {
  const values = VERSION_COLUMNS.map((name) => {
    const isShared =
      DOCUMENT_FIELDS[name].versioned === 'if changed' && version[name] === next[name];
    return [columnOf(name), isShared ? null : version[name]];
  });
  return Object.fromEntries(values) as Record<string, unknown>;
}

function columnOf(name: keyof Document): string {
  return fieldOf(name).column;
}

function isJson(name: keyof Document): boolean {
  return fieldOf(name).type === 'json';
}

function recordColumn(name: keyof Document): string {
  return `${columnOf(name)} ${isJson(name) ? 'text' : fieldOf(name).type}`;
}

function recordValue(name: keyof Document): string {
  return columnOf(name) + (isJson(name) ? '::json' : '');
}

const END = Buffer.from(']');

/**
 * One row or more as a JSON array for `json_to_recordset`, each with its `content`, which is JSON text already: making
 * JSON of it costs more than the rest of the row. In bytes, made row by row: as one string a batch would be longer than
 * what V8 keeps among young objects, and pg would read it twice more.
 */
export function recordsOf(rows: readonly (readonly [row: object, content: string])[]): Buffer {
  const parts = rows.map(([row, content], index) =>
    Buffer.from(
      `${index === 0 ? '[' : ','}${JSON.stringify(row).slice(0, -1)},"content":${content}}`,
    ),
  );
  return Buffer.concat([...parts, END]);
}
