import type { Person } from '../../auth/person.js';
import type { StoredDocument } from '../changes/document-change.js';
import {
  fieldsWith,
  recordColumns,
  recordValues,
  selectedFields,
  shownColumns,
} from '../../content/versioning/field-map.js';
import {
  DOCUMENT_FIELDS,
  fieldOf,
  ALL_FIELDS,
  COPIED_FIELDS,
  IF_CHANGED_FIELDS,
  type Document,
} from './document-fields.js';

/** Fields that documents have as columns and records. Statements write `updatedBy` with the other facts of a version. */
const STORED = ALL_FIELDS.filter((name) => name !== 'updatedBy');
const CHANGING = fieldsWith(DOCUMENT_FIELDS, 'constant', false).filter(
  (name) => name !== 'updatedBy',
);
/** Columns of a row without content. People are joined. */
const READ = STORED.filter((name) => !['accountId', 'content', 'createdBy'].includes(name));
/** Columns to write, except the content, which is already JSON text. */
const WRITTEN = STORED.filter((name) => name !== 'content');

/** A row of `documents AS item` with its people, without its content. */
export type DocumentRow = Omit<Document, 'accountId' | 'content' | keyof DocumentPeople> &
  PeopleRow;

export interface PeopleRow {
  creatorId: string;
  creatorName: string;
  creatorEmail: string;
  /** The author of the current version. Null if the creator made it. */
  editorId: string | null;
  editorName: string | null;
  editorEmail: string | null;
}

const PEOPLE = `creator.id AS "creatorId", creator.name AS "creatorName", creator.email AS "creatorEmail",
  nullif(item.version_author, item.created_by) AS "editorId", editor.name AS "editorName", editor.email AS "editorEmail"`;

export const DOCUMENT_COLUMNS = `${selectedFields(DOCUMENT_FIELDS, 'item', READ)}, ${PEOPLE}`;

/** The columns for lists, whose rows are only presented. */
export const SHOWN_COLUMNS = `${shownColumns(DOCUMENT_FIELDS, 'item', READ)}, ${PEOPLE}`;

/** Looks the author of the current version up only if it is not the creator. */
export const DOCUMENT_JOINS = `CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS creator
  LEFT JOIN LATERAL (
    SELECT name, email FROM users WHERE users.id = nullif(item.version_author, item.created_by) LIMIT 1) AS editor ON true`;

/** Returns the document of a row, without its content. */
export function fromRow(row: DocumentRow): Omit<Document, 'accountId' | 'content'> {
  const document: Record<string, unknown> = {};
  for (const name of READ) document[name] = row[name as keyof DocumentRow];
  Object.assign(document, peopleOf(row));
  return document as unknown as Omit<Document, 'accountId' | 'content'>;
}

export type DocumentPeople = Pick<Document, 'createdBy' | 'updatedBy'>;

export function peopleOf(row: PeopleRow): DocumentPeople {
  const { creatorId, creatorName, creatorEmail, editorId, editorName, editorEmail } = row;
  const createdBy: Person = { id: creatorId, name: creatorName, email: creatorEmail };
  if (editorId === null) return { createdBy, updatedBy: createdBy };
  return {
    createdBy,
    updatedBy: { id: editorId, name: editorName ?? '', email: editorEmail ?? '' },
  };
}

/** The columns of a {@link StoredRow}. */
export const STORED_COLUMNS = `${DOCUMENT_COLUMNS}, item.account_id AS "accountId", item.content,
  item.delta_bytes AS "deltaBytes", item.delta_count AS "deltaCount"`;

/** A row with everything that a change needs. */
export type StoredRow = DocumentRow &
  Pick<StoredDocument, 'accountId' | 'content' | 'deltaBytes' | 'deltaCount'>;

export function fromStoredRow(row: StoredRow): StoredDocument {
  const { accountId, content, deltaBytes, deltaCount } = row;
  return { ...fromRow(row), accountId, content, deltaBytes, deltaCount };
}

/** Returns a document as a row of {@link RECORD}, without its content. */
export function toRow(document: Omit<Document, 'content' | 'updatedBy'>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const name of WRITTEN) row[fieldOf(name).column] = document[name];
  row['created_by'] = document.createdBy.id;
  return row;
}

/** Column definitions of a `json_to_recordset` of documents. JSON is passed as text to preserve its spelling. */
export const RECORD = recordColumns(DOCUMENT_FIELDS, STORED);

/** Columns of an INSERT of documents, and their values from a {@link RECORD}. */
export const INSERTED = STORED.map((name) => fieldOf(name).column).join(', ');
export const INSERTED_VALUES = recordValues(DOCUMENT_FIELDS, STORED);

/** Columns of `publications` that it shares with documents. */
const PUBLISHED = STORED.filter(isPublished);
export const PUBLISHED_INSERTED = PUBLISHED.map((name) => fieldOf(name).column).join(', ');
export const PUBLISHED_VALUES = recordValues(DOCUMENT_FIELDS, PUBLISHED);
const READ_PUBLISHED = READ.filter(isPublished);

/** The columns of `publications AS item` without the content, like {@link DOCUMENT_COLUMNS} and {@link SHOWN_COLUMNS}. */
export const PUBLICATION_COLUMNS = `${selectedFields(DOCUMENT_FIELDS, 'item', READ_PUBLISHED)}, ${PEOPLE}`;
export const SHOWN_PUBLICATION_COLUMNS = `${shownColumns(DOCUMENT_FIELDS, 'item', READ_PUBLISHED)}, ${PEOPLE}`;

/** The other two say which publication a document has. */
function isPublished(name: keyof Document): boolean {
  return name !== 'publishedVersion' && name !== 'hasUnpublishedChanges';
}

/** Assignments for an UPDATE of `item` from the {@link RECORD} `wanted`, in which unchanged content is null. */
export const CHANGED = CHANGING.map((name) => {
  const { column, type } = fieldOf(name);
  if (name === 'content') return `${column} = coalesce(wanted.${column}, item.${column})`;
  return `${column} = wanted.${column}${type === 'json' ? '::json' : ''}`;
}).join(', ');

/** Columns of versions except the content, and their values in `documents AS old` for the changes in `wanted.changes`. */
const VERSION_FIELDS = [...COPIED_FIELDS, ...IF_CHANGED_FIELDS];
export const VERSION_COLUMNS = VERSION_FIELDS.map((name) => fieldOf(name).column).join(', ');
export const VERSION_VALUES = VERSION_FIELDS.map((name) => {
  const { column, versioned } = fieldOf(name);
  return versioned === 'copy'
    ? `old.${column}`
    : `CASE WHEN '${name}' = ANY (wanted.changes) THEN old.${column} END`;
}).join(', ');

const END = Buffer.from(']');

/**
 * Returns rows as a JSON array for `json_to_recordset`. Each `content` is already JSON text, because encoding it again
 * would cost more than the rest of the row. Builds a buffer row by row, because one long string would leave V8's young
 * generation, and pg would scan it twice.
 */
export function recordsOf(rows: readonly (readonly [row: object, content: string])[]): Buffer {
  const parts = rows.map(([row, content], index) =>
    Buffer.from(
      `${index === 0 ? '[' : ','}${JSON.stringify(row).slice(0, -1)},"content":${content}}`,
    ),
  );
  return Buffer.concat([...parts, END]);
}
