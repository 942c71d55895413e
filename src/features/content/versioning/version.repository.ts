import type { Database, Statement } from '../../../platform/database/database.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { readNumberedItems, type Page } from '../../../platform/http/pagination/read-page.js';
import type { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { applyDeltas, type DeltaTotals } from '../text/reverse-deltas.js';
import {
  columnOf,
  fieldIn,
  fieldsWith,
  recordColumns,
  recordValues,
  selectedFields,
} from './field-map.js';
import {
  AUTHOR_COLUMNS,
  authorOf,
  storedVersionFields,
  type AuthorRow,
  type Version,
  type VersionedResource,
  type VersionedState,
  type VersionHistory,
} from './versioned-resource.js';

const ARCHIVE_ROWS = 500;
const ARCHIVE_BYTES = 4 * 1024 ** 2;

/** The SQL statements for the versions of one kind of resource. */
interface VersionStatements {
  list: Statement;
  find: Statement;
  insert: Statement;
  archive: Statement;
  setDeltas: Statement;
}

function versionStatements(resource: VersionedResource): VersionStatements {
  const { kind, table, versionTable, owner, fields, hasOrigin = false } = resource;
  const copied = fieldsWith(fields, 'versioned', 'copy');
  const ifChanged = fieldsWith(fields, 'versioned', 'if changed');
  const stored = storedVersionFields(resource);
  const columns = (names: readonly string[]) =>
    names.map((name) => columnOf(fields, name)).join(', ');
  /** Columns of an older version in the version table, and of the current version in the resource's table. */
  const superseded = `number, author, changes, ${hasOrigin ? 'origin, ' : ''}created_at, ${columns(copied)}`;
  const current = `version, coalesce(version_author, created_by), coalesce(version_changes, '{}'), ${hasOrigin ? 'version_origin, ' : ''}updated_at, ${columns(copied)}`;
  const shown = (alias: string) =>
    `${alias}.number, ${alias}.changes, ${hasOrigin ? `${alias}.origin, ` : ''}${alias}.created_at AS "createdAt",
     ${selectedFields(fields, alias, copied)}, ${AUTHOR_COLUMNS}`;
  /** A field equal to the next version's is null. Reads the nearest later value, or otherwise the current one. */
  const nearest = (name: string) => {
    const column = columnOf(fields, name);
    return `, coalesce(
        (SELECT ${column} FROM ${versionTable}
          WHERE ${owner} = $1 AND account_id = $2 AND number >= $3 AND ${column} IS NOT NULL
          ORDER BY number LIMIT 1),
        (SELECT ${column} FROM ${table} WHERE id = $1 AND account_id = $2)) AS "${name}"`;
  };
  return {
    /** Versions `$3` to `$4`, including the current one. */
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
     * Version `$3` with the nearest later content that is stored in full, and the deltas from there back to the version,
     * newest first. A single statement sees a consistent state.
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

    /** Inserts the superseded versions in `$1`. */
    insert: {
      name: `${kind}-versions.insert`,
      text: `INSERT INTO ${versionTable} (${owner}, number, account_id, content, content_delta, author, changes,
                                          created_at, ${columns(stored)})
        SELECT owner, number, $2, content, delta::json, author, changes, created_at, ${recordValues(fields, stored)}
          FROM json_to_recordset($1::json) AS version (
            owner uuid, number integer, content text, delta text, author uuid, changes text[],
            created_at timestamptz, ${recordColumns(fields, stored)})`,
    },

    /** Versions of the resources `$1` with numbers below `$2`, newest first, limited in rows and bytes. */
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
               item.number, item.changes, item.created_at AS "createdAt", ${selectedFields(fields, 'item', stored)},
               ${AUTHOR_COLUMNS}
          FROM fitting
         CROSS JOIN LATERAL (
           SELECT * FROM ${versionTable} AS version
            WHERE version.${owner} = fitting.owner AND version.number = fitting.number LIMIT 1) AS item
          LEFT JOIN LATERAL (SELECT * FROM users WHERE users.id = item.author LIMIT 1) AS author ON true
         WHERE fitting.row = 1 OR fitting.total <= ${String(ARCHIVE_BYTES)}
         ORDER BY fitting.place, fitting.number DESC`,
    },

    /** Sets the totals of the deltas since the last version that is stored in full. */
    setDeltas: {
      name: `${kind}-versions.set-deltas`,
      text: `UPDATE ${table} SET delta_bytes = $3, delta_count = $4 WHERE id = $1 AND account_id = $2`,
    },
  };
}

/** The resource that versions belong to. Ids are UUIDs. */
interface VersionOwner {
  accountId: string;
  id: string;
}

/** A version that a later version has replaced. */
export type SupersededVersion<State extends object> = Version<State> & { ownerId: string };

/** A superseded version to insert. */
export interface VersionRow<State extends object> {
  ownerId: string;
  version: State & Omit<VersionHistory, 'author'> & { number: number; createdAt: Date };
  authorId: string | null;
  /** The next version: the delta and unchanged fields are relative to it. */
  newer: State;
  /** Turns the content of `newer` into this version's; null if the content is stored in full. */
  delta: string | null;
}

type ListedRow<Listed extends object> = Omit<Version<Listed>, 'author'> & AuthorRow;
type FoundRow = VersionedState & AuthorRow & { deltas: string[] | null };
type ArchivedRow = AuthorRow &
  Omit<VersionHistory, 'author'> & {
    ownerId: string;
    number: number;
    createdAt: Date;
    content: string | null;
    delta: string | null;
  };

/** Version numbers from 1 to 999,999,999; the column is a 32-bit integer. */
const NUMBER = /^[1-9]\d{0,8}$/;

/**
 * Reads and writes the versions of one kind of resource. `State` is a complete version; `Listed` has the fields in lists.
 * The current version is in the row of the resource. The content of older versions is stored as deltas.
 */
export class VersionRepository<Listed extends object, State extends Listed & VersionedState> {
  private readonly statements: VersionStatements;
  private readonly stored: readonly string[];
  private readonly ifChanged: readonly string[];

  constructor(
    private readonly database: Pick<Database, 'run'>,
    private readonly resource: VersionedResource,
  ) {
    this.statements = versionStatements(resource);
    this.stored = storedVersionFields(resource);
    this.ifChanged = fieldsWith(resource.fields, 'versioned', 'if changed');
  }

  /** Returns one page. Version numbers have no gaps, so a page is a range of numbers. Throws `bad_request`. */
  async page(
    owner: VersionOwner & { version: number },
    query: PageQueryDto,
  ): Promise<Page<Version<Listed>>> {
    return readNumberedItems(
      {
        ownerId: owner.id,
        total: owner.version,
        read: (first, last) => this.list(owner, first, last),
      },
      query,
    );
  }

  /** Returns a complete version, which may be the current one. */
  async find({ accountId, id }: VersionOwner, number: number): Promise<Version<State> | undefined> {
    const [row] = await this.database.run<FoundRow>(this.statements.find, [id, accountId, number]);
    if (!row) return undefined;
    const { deltas, ...version } = row;
    const content = applyDeltas(row.content, deltas ?? []);
    return { ...version, content, author: authorOf(row) } as unknown as Version<State>;
  }

  /** Returns a complete version by the number in a request path. Throws `not_found`. */
  async get(owner: VersionOwner, number: string): Promise<Version<State>> {
    const version = NUMBER.test(number) ? await this.find(owner, Number(number)) : undefined;
    if (!version) throw notFound('version');
    return version;
  }

  async insert(accountId: string, versions: readonly VersionRow<State>[]): Promise<void> {
    const rows = versions.map((version) => this.rowOf(version));
    await this.database.run(this.statements.insert, [JSON.stringify(rows), accountId]);
  }

  async setDeltas({ accountId, id }: VersionOwner, totals: DeltaTotals): Promise<void> {
    const values = [id, accountId, totals.deltaBytes, totals.deltaCount];
    await this.database.run(this.statements.setDeltas, values);
  }

  /** Returns the superseded versions of resources, resource by resource, newest first. Throws if a version is missing. */
  async *superseded(
    accountId: string,
    owners: readonly (State & { id: string; version: number })[],
  ): AsyncGenerator<SupersededVersion<State>, void> {
    let left = owners.filter(({ version }) => version > 1);
    let below = left[0]?.version ?? 1;
    let next: State | undefined = left[0];
    while (left.length > 0) {
      const numbers = left.map(({ version }, index) => (index === 0 ? below : version));
      const values = [left.map(({ id }) => id), numbers, accountId];
      const rows = await this.database.run<ArchivedRow>(this.statements.archive, values);
      if (rows.length === 0)
        throw new Error(`The versions of a ${this.resource.kind} are missing.`);
      for (const row of rows) {
        if (!next || row.ownerId !== left[0]?.id || row.number !== below - 1) {
          throw new Error(`A version of a ${this.resource.kind} is missing.`);
        }
        const version = this.wholeVersion(row, next);
        yield version;
        [next, below] = [version, row.number];
        if (below > 1) continue;
        left = left.slice(1);
        [next, below] = [left[0], left[0]?.version ?? 1];
      }
    }
  }

  /** Returns versions `first` to `last`, inclusive, oldest first. */
  private async list(
    { accountId, id }: VersionOwner,
    first: number,
    last: number,
  ): Promise<Version<Listed>[]> {
    const values = [id, accountId, first, last];
    const rows = await this.database.run<ListedRow<Listed>>(this.statements.list, values);
    return rows.map((row) => ({ ...row, author: authorOf(row) }) as unknown as Version<Listed>);
  }

  private wholeVersion(row: ArchivedRow, next: State): SupersededVersion<State> {
    const own = row as unknown as Readonly<Record<string, unknown>>;
    const later = next as Readonly<Record<string, unknown>>;
    const version: Record<string, unknown> = { ...own };
    for (const name of this.ifChanged) version[name] = own[name] ?? later[name];
    version['content'] = row.content ?? applyDeltas(next.content, [row.delta ?? '[]']);
    version['author'] = authorOf(row);
    return version as unknown as SupersededVersion<State>;
  }

  private rowOf({ ownerId, version, authorId, newer, delta }: VersionRow<State>): object {
    const { fields } = this.resource;
    const [own, later] = [version, newer] as Readonly<Record<string, unknown>>[];
    const columns = this.stored.map((name) => {
      const isShared =
        fieldIn(fields, name).versioned === 'if changed' && own?.[name] === later?.[name];
      return [columnOf(fields, name), isShared ? null : own?.[name]];
    });
    return {
      ...(Object.fromEntries(columns) as object),
      owner: ownerId,
      number: version.number,
      content: delta === null ? version.content : null,
      delta,
      author: authorId,
      changes: version.changes,
      created_at: version.createdAt,
    };
  }
}
