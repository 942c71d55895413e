import type { Person } from '../access/auth/person.js';
import type { StoredDocument } from './document-change.js';
import {
  fieldsWith,
  recordColumns,
  recordValues,
  selectedFields,
  shownColumns,
} from '../content/versions/field-map.js';
import {
  DOCUMENT_FIELDS,
  fieldOf,
  ALL_FIELDS,
  COPIED_FIELDS,
  KEPT_IF_CHANGED,
  type Document,
} from './document-fields.js';

const CHANGING = fieldsWith(DOCUMENT_FIELDS, 'constant', false);
/** What a row says of a document beside its content; the creator is joined. */
const READ = ALL_FIELDS.filter((name) => !['accountId', 'content', 'createdBy'].includes(name));
/** Beside the content, which comes as JSON text already. */
const WRITTEN = ALL_FIELDS.filter((name) => name !== 'content');

/** A row of `documents AS item JOIN users AS creator`, without its content. */
export type DocumentRow = Omit<Document, 'accountId' | 'content' | 'createdBy'> & Creator;

export interface Creator {
  creatorId: string;
  creatorName: string;
  creatorEmail: string;
}

const CREATOR =
  'creator.id AS "creatorId", creator.name AS "creatorName", creator.email AS "creatorEmail"';

export const DOCUMENT_COLUMNS = `${selectedFields(DOCUMENT_FIELDS, 'item', READ)}, ${CREATOR}`;

/** The same for lists, whose rows are only shown. */
export const SHOWN_COLUMNS = `${shownColumns(DOCUMENT_FIELDS, 'item', READ)}, ${CREATOR}`;

export const DOCUMENT_JOINS =
  'CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS creator';

/** The document of a row; its content is read only where it is wanted. */
export function fromRow(row: DocumentRow): Omit<Document, 'accountId' | 'content'> {
  const document: Record<string, unknown> = {};
  for (const name of READ) document[name] = row[name as keyof DocumentRow];
  document['createdBy'] = creatorOf(row);
  return document as unknown as Omit<Document, 'accountId' | 'content'>;
}

export function creatorOf({ creatorId, creatorName, creatorEmail }: Creator): Person {
  return { id: creatorId, name: creatorName, email: creatorEmail };
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

/** A document as a row of {@link RECORD}, without its content. */
export function toRow(document: Omit<Document, 'content'>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const name of WRITTEN) row[fieldOf(name).column] = document[name];
  row['created_by'] = document.createdBy.id;
  return row;
}

/** Columns of a `json_to_recordset` of documents. JSON is handed over as text, which keeps its spelling. */
export const RECORD = recordColumns(DOCUMENT_FIELDS, ALL_FIELDS);

/** Columns of an INSERT of documents, and their values of a {@link RECORD}. */
export const INSERTED = ALL_FIELDS.map((name) => fieldOf(name).column).join(', ');
export const INSERTED_VALUES = recordValues(DOCUMENT_FIELDS, ALL_FIELDS);

/** The assignments that make `item` what the {@link RECORD} `wanted` says; a content that stays is not sent. */
export const CHANGED = CHANGING.map((name) => {
  const { column, type } = fieldOf(name);
  if (name === 'content') return `${column} = coalesce(wanted.${column}, item.${column})`;
  return `${column} = wanted.${column}${type === 'json' ? '::json' : ''}`;
}).join(', ');

/** Columns of versions beside the content, and what `documents AS old` has for them; `changes` are the names that change. */
const KEPT = [...COPIED_FIELDS, ...KEPT_IF_CHANGED];
export const KEPT_COLUMNS = KEPT.map((name) => fieldOf(name).column).join(', ');
export const KEPT_VALUES = KEPT.map((name) => {
  const { column, versioned } = fieldOf(name);
  return versioned === 'copy'
    ? `old.${column}`
    : `CASE WHEN '${name}' = ANY (wanted.changes) THEN old.${column} END`;
}).join(', ');

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
