import type { Person } from '../../access/auth/person.js';
import type { Statement } from '../../../platform/database/database.js';
import type { IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import {
  columnOf,
  fieldsWith,
  fieldsWithout,
  recordColumns,
  recordValues,
  selectedFields,
  type FieldMap,
} from './field-map.js';

/** How a version came about. */
export interface VersionHistory {
  /** Fields in which it differs from the version before; empty for the first. */
  changes: readonly string[];
  /** Who made it; null for the first version of what came with the account. */
  author: Person | null;
}

/** A version, with those of its fields that are asked for. */
export type Version<Fields extends object> = Fields &
  VersionHistory & {
    number: number;
    createdAt: Date;
    /** JSON text of what made it; null for a person's own change. */
    origin?: string | null;
  };

/** What every resource with versions was at each of them, whatever else it was. */
export interface VersionedState {
  content: string;
}

/** A resource of which each change makes a version: its own table has the current one, another table those before. */
export interface VersionedResource {
  kind: IdKind;
  table: string;
  versionTable: string;
  /** The column of the version table that names the resource. */
  owner: string;
  fields: FieldMap;
  /** Whether versions say what made them, where it was not a person's own change (`origin`). */
  hasOrigin?: boolean;
}

const ARCHIVE_ROWS = 500;
const ARCHIVE_BYTES = 4 * 1024 ** 2;

/** Of `users AS author`. */
export const AUTHOR_COLUMNS =
  'author.id AS "authorId", author.name AS "authorName", author.email AS "authorEmail"';

/** What a row has of the user who made a version; nulls for nobody. */
export interface AuthorRow {
  authorId: string | null;
  authorName: string | null;
  authorEmail: string | null;
}

export function authorOf({ authorId, authorName, authorEmail }: AuthorRow): Person | null {
  if (authorId === null) return null;
  return { id: authorId, name: authorName ?? '', email: authorEmail ?? '' };
}

/** The SQL of a resource's versions; `src/features/content/versions/version-store.ts` runs it. */
export interface VersionStatements {
  list: Statement;
  find: Statement;
  insert: Statement;
  archive: Statement;
  setDeltas: Statement;
}

export function versionStatements(resource: VersionedResource): VersionStatements {
  const { kind, table, versionTable, owner, fields, hasOrigin = false } = resource;
  const copied = fieldsWith(fields, 'versioned', 'copy');
  const ifChanged = fieldsWith(fields, 'versioned', 'if changed');
  const kept = keptFields(resource);
  const columns = (names: readonly string[]) =>
    names.map((name) => columnOf(fields, name)).join(', ');
  /** What the version table has of a version, and what the resource has of the current one. */
  const superseded = `number, author, changes, ${hasOrigin ? 'origin, ' : ''}created_at, ${columns(copied)}`;
  const current = `version, coalesce(version_author, created_by), coalesce(version_changes, '{}'), ${hasOrigin ? 'version_origin, ' : ''}updated_at, ${columns(copied)}`;
  const shown = (alias: string) =>
    `${alias}.number, ${alias}.changes, ${hasOrigin ? `${alias}.origin, ` : ''}${alias}.created_at AS "createdAt",
     ${selectedFields(fields, alias, copied)}, ${AUTHOR_COLUMNS}`;
  /** What a version shares with the next one is kept there: the nearest later value, or else the resource's. */
  const nearest = (name: string) => {
    const column = columnOf(fields, name);
    return `, coalesce(
        (SELECT ${column} FROM ${versionTable}
          WHERE ${owner} = $1 AND account_id = $2 AND number >= $3 AND ${column} IS NOT NULL
          ORDER BY number LIMIT 1),
        (SELECT ${column} FROM ${table} WHERE id = $1 AND account_id = $2)) AS "${name}"`;
  };
  return {
    /** Versions `$3` to `$4`, the current one among them. */
    list: {
      name: `${kind}-versions.list`,
      text: `SELECT ${shown('version')}
          FROM (
            SELECT ${superseded} FROM ${versionTable}
             WHERE ${owner} = $1 AND account_id = $2 AND number BETWEEN $3 AND $4
            UNION ALL
            SELECT ${current} FROM ${table}
             WHERE id = $1 AND account_id = $2 AND version BETWEEN $3 AND $4
          ) AS version
          LEFT JOIN users AS author ON author.id = version.author
         ORDER BY version.number`,
    },

    /**
     * Version `$3` and what its content is made from: the nearest later content that was kept whole, and the deltas from
     * there back to it, newest first. One statement sees one state of the resource.
     */
    find: {
      name: `${kind}-versions.find`,
      text: `WITH whole AS (
          SELECT number, content FROM (
            (SELECT number, content FROM ${versionTable}
              WHERE ${owner} = $1 AND account_id = $2 AND number >= $3 AND content IS NOT NULL
              ORDER BY number LIMIT 1)
            UNION ALL
            SELECT version, content FROM ${table} WHERE id = $1 AND account_id = $2 AND version >= $3
          ) AS candidates ORDER BY number LIMIT 1
        ), deltas AS (
          SELECT array_agg(content_delta::text ORDER BY number DESC) AS deltas
            FROM ${versionTable}
           WHERE ${owner} = $1 AND account_id = $2 AND number >= $3 AND number < (SELECT number FROM whole)
        ), wanted AS (
          SELECT ${superseded} FROM ${versionTable}
           WHERE ${owner} = $1 AND account_id = $2 AND number = $3
          UNION ALL
          SELECT ${current} FROM ${table} WHERE id = $1 AND account_id = $2 AND version = $3
        )
        SELECT ${shown('wanted')}, whole.content, deltas.deltas${ifChanged.map(nearest).join('')}
          FROM wanted CROSS JOIN whole CROSS JOIN deltas
          LEFT JOIN users AS author ON author.id = wanted.author`,
    },

    /** Superseded versions, as the records of `$1`. */
    insert: {
      name: `${kind}-versions.insert`,
      text: `INSERT INTO ${versionTable} (${owner}, number, account_id, content, content_delta, author, changes,
                                          created_at, ${columns(kept)})
        SELECT owner, number, $2, content, delta::json, author, changes, created_at, ${recordValues(fields, kept)}
          FROM json_to_recordset($1::json) AS version (
            owner uuid, number integer, content text, delta text, author uuid, changes text[],
            created_at timestamptz, ${recordColumns(fields, kept)})`,
    },

    /** Versions of `$1` below the numbers of `$2`, resource by resource, the newest first, as many as fit. */
    archive: {
      name: `${kind}-versions.archive`,
      text: `WITH wanted AS (
          SELECT * FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS wanted (id, below, place)
        ), candidates AS MATERIALIZED (
          SELECT wanted.place, found.*
            FROM wanted
           CROSS JOIN LATERAL (
             SELECT ${owner} AS owner, number, coalesce(octet_length(content), pg_column_size(content_delta)) AS bytes
               FROM ${versionTable}
              WHERE ${owner} = wanted.id AND account_id = $3 AND number < wanted.below
              ORDER BY number DESC LIMIT ${String(ARCHIVE_ROWS)}) AS found
           ORDER BY wanted.place, found.number DESC LIMIT ${String(ARCHIVE_ROWS)}
        ), fitting AS MATERIALIZED (
          SELECT *, row_number() OVER following AS row, sum(bytes) OVER following AS total
            FROM candidates WINDOW following AS (ORDER BY place, number DESC)
        )
        SELECT item.${owner} AS "ownerId", item.content, item.content_delta AS "delta",
               item.number, item.changes, item.created_at AS "createdAt", ${selectedFields(fields, 'item', kept)},
               ${AUTHOR_COLUMNS}
          FROM fitting
         CROSS JOIN LATERAL (
           SELECT * FROM ${versionTable} AS version
            WHERE version.${owner} = fitting.owner AND version.number = fitting.number LIMIT 1) AS item
          LEFT JOIN LATERAL (SELECT * FROM users WHERE users.id = item.author LIMIT 1) AS author ON true
         WHERE fitting.row = 1 OR fitting.total <= ${String(ARCHIVE_BYTES)}
         ORDER BY fitting.place, fitting.number DESC`,
    },

    /** What is kept between the resource and the newest version that is kept whole. */
    setDeltas: {
      name: `${kind}-versions.set-deltas`,
      text: `UPDATE ${table} SET delta_bytes = $3, delta_count = $4 WHERE id = $1 AND account_id = $2`,
    },
  };
}

/** The names of the fields that each version has a column of, beside the content. */
export function keptFields({ fields }: VersionedResource): readonly string[] {
  return fieldsWithout(fields, 'versioned', false).filter((name) => name !== 'content');
}
