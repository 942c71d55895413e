import { Inject, Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import { SEARCHED_FIELDS, type SearchedDocument, type SearchedFields } from './index-entry.js';

/** Maximum number of changes per account in a batch, so that a bulk load does not delay other accounts. */
export const MAX_CHANGES_PER_ACCOUNT = 500;
/** Maximum text of a batch in UTF-8 bytes, unless a single document is longer. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;
/** Time limit of each statement. A batch that exceeds it is retried with fewer documents. */
const STATEMENT_TIMEOUT_MS = 10_000;

const LIMIT: Statement = {
  name: 'search.limit',
  text: `SELECT set_config('statement_timeout', '${String(STATEMENT_TIMEOUT_MS)}', true)`,
};

/** Lets one process index at a time, so that an older change never overwrites a newer one. */
const LOCK: Statement = {
  name: 'search.lock',
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('search', 0)) AS taken`,
};

/**
 * Returns the statement that reads a batch of changes: the oldest change of each account, then the second oldest, and so
 * on. Finds the accounts by skipping through the index, because a bulk load has many changes.
 */
function takeStatement({ titles, contents }: SearchedFields): Statement {
  const searched = Object.entries({ ...titles, ...contents });
  const columns = searched.map(([name, column]) => `item.${column} AS "${name}"`).join(', ');
  const bytesIn = (table: string) =>
    searched.map(([, column]) => `coalesce(octet_length(${table}.${column}), 0)`).join(' + ');
  const bytes = `${bytesIn('item')} + CASE WHEN state.fills THEN ${bytesIn('live')} ELSE 0 END`;
  const isSame = [...searched.map(([, column]) => column), 'ai_settings::text']
    .map((column) => `live.${column} = item.${column}`)
    .join(' AND ');
  return {
    name: 'search.take',
    text: `WITH RECURSIVE account AS (
      (SELECT account_id AS id FROM search_changes ORDER BY account_id LIMIT 1)
      UNION ALL
      SELECT (SELECT account_id FROM search_changes WHERE account_id > account.id ORDER BY account_id LIMIT 1)
        FROM account WHERE account.id IS NOT NULL
    ), taken AS (
      SELECT change.* FROM account
        CROSS JOIN LATERAL (
          SELECT *, row_number() OVER (ORDER BY id) AS turn FROM search_changes
           WHERE account_id = account.id ORDER BY id LIMIT ${String(MAX_CHANGES_PER_ACCOUNT)}) AS change
       WHERE account.id IS NOT NULL ORDER BY change.turn, change.id LIMIT $1
    ), sized AS (
      SELECT taken.account_id, taken.id AS change_id, taken.document_id, item.id IS NOT NULL AS exists, item.created_at, item.ai_settings, ${columns},
             CASE WHEN state.fills THEN json_build_object('number', live.number, 'ai_settings', live.ai_settings::text,
               ${searched.map(([name, column]) => `'${name}', live.${column}`).join(', ')}) END AS published,
             CASE WHEN state.drops THEN own.number END AS "droppedNumber",
             ${bytes} AS bytes, sum(${bytes}) OVER (ORDER BY taken.turn, taken.id) AS bytes_so_far
        FROM taken LEFT JOIN LATERAL (SELECT * FROM documents WHERE documents.id = taken.document_id LIMIT 1) AS item ON true
        LEFT JOIN LATERAL (
          SELECT * FROM publications WHERE publications.id = item.id AND item.published_version IS NOT NULL LIMIT 1) AS live ON true
        LEFT JOIN LATERAL (
          SELECT document_id, chunk_id, number FROM publication_texts WHERE document_id = taken.document_id LIMIT 1) AS own ON true
       CROSS JOIN LATERAL (SELECT coalesce(${isSame}, false) AS is_same) AS compared
       CROSS JOIN LATERAL (
         SELECT live.id IS NOT NULL AND NOT is_same AND (own.number IS DISTINCT FROM live.number OR own.chunk_id IS NULL) AS fills,
                own.document_id IS NOT NULL AND (live.id IS NULL OR is_same) AS drops) AS state
    )
    SELECT sized.*, bytes_so_far >= ${String(MAX_BATCH_BYTES)} AS fills FROM sized
     WHERE bytes_so_far - bytes < ${String(MAX_BATCH_BYTES)} ORDER BY change_id`,
  };
}

const INDEX: Statement = { name: 'search.index', text: 'SELECT index_texts($1::json)' };

const REMOVE: Statement = {
  name: 'search.remove',
  text: 'DELETE FROM document_texts WHERE document_id = ANY ($1::uuid[])',
};

/** Locks in the order of IDs, like transactions that publish several documents. */
const LOCK_PUBLISHED: Statement = {
  name: 'search.lock-published',
  text: 'SELECT FROM publication_texts WHERE document_id = ANY ($1::uuid[]) ORDER BY document_id FOR UPDATE',
};

const INDEX_PUBLISHED: Statement = {
  name: 'search.index-published',
  text: 'SELECT index_publication_texts($1::json)',
};

/** Removes the words of published texts that no longer differ, unless the document was published in the meantime. */
const DROP_PUBLISHED: Statement = {
  name: 'search.drop-published',
  text: `DELETE FROM publication_texts USING unnest($1::uuid[], $2::integer[]) AS dropped (id, number)
          WHERE document_id = dropped.id AND publication_texts.number = dropped.number`,
};

const DONE: Statement = {
  name: 'search.done',
  text: `DELETE FROM search_changes USING unnest($1::uuid[], $2::bigint[]) AS done (account_id, id)
          WHERE search_changes.account_id = done.account_id AND search_changes.id = done.id`,
};

/** Merges the pending list of the GIN index, which speeds up searches. */
const MERGE: Statement = {
  name: 'search.merge',
  text: `SELECT gin_clean_pending_list('document_texts_vector_idx')`,
};

const MERGE_PUBLISHED: Statement = {
  name: 'search.merge-published',
  text: `SELECT gin_clean_pending_list('publication_texts_vector_idx')`,
};

/** Pending changes of an account are counted up to this number. */
export const MAX_COUNTED_CHANGES = 10_000;

const ACCOUNT_LAG: Statement = {
  name: 'search.lag',
  text: `SELECT (SELECT count(*) FROM (SELECT FROM search_changes WHERE account_id = $1 LIMIT ${String(MAX_COUNTED_CHANGES + 1)}) AS change)::integer AS waiting,
                (SELECT count(*) FROM document_texts WHERE account_id = $1 AND title_only)::integer AS "titleOnly"`,
};

const TOTAL_LAG: Statement = {
  name: 'search.lag-all',
  text: `SELECT coalesce(extract(epoch FROM now() - min(noted_at)), 0)::float AS seconds, count(*)::integer AS waiting,
                (SELECT count(*) FROM document_texts WHERE title_only)::integer AS "titleOnly" FROM search_changes`,
};

/** A change of a document that is not indexed yet. */
export interface Change extends SearchedDocument {
  change_id: string;
  exists: boolean;
  /** JSON text of the published text that has no words yet and differs from the document's. Null if there is none. */
  published: string | null;
  /** The publication whose own words are to be removed. Null if there are none. */
  droppedNumber: number | null;
  /** True if the batch is full after this change. */
  fills: boolean;
}

export interface Lag {
  seconds: number;
  waiting: number;
  titleOnly: number;
}

/** Reads pending changes and writes the search index. */
@Injectable()
export class SearchIndexRepository {
  private readonly takeChanges: Statement;

  constructor(
    private readonly database: Database,
    @Inject(SEARCHED_FIELDS) fields: SearchedFields,
  ) {
    this.takeChanges = takeStatement(fields);
  }

  /** Locks the index until the transaction ends. Returns false if another process is indexing. */
  async lock(): Promise<boolean> {
    const [lock] = await this.database.run<{ taken: boolean }>(LOCK, []);
    if (lock?.taken) await this.database.run(LIMIT, []);
    return lock?.taken ?? false;
  }

  /** Returns at most `max` pending changes. */
  take(max: number): Promise<Change[]> {
    return this.database.run<Change>(this.takeChanges, [max]);
  }

  /**
   * Writes index entries of documents and of published texts, removes deleted documents from the index and deletes the
   * processed changes.
   */
  async write(
    entries: readonly string[],
    publishedEntries: readonly string[],
    deletedDocuments: readonly string[],
    changes: readonly Change[],
  ): Promise<void> {
    if (entries.length > 0) await this.database.run(INDEX, [`[${entries.join(',')}]`]);
    if (deletedDocuments.length > 0) await this.database.run(REMOVE, [deletedDocuments]);
    await this.writePublished(publishedEntries, changes);
    const accounts = changes.map(({ account_id }) => account_id);
    await this.database.run(DONE, [accounts, changes.map(({ change_id }) => change_id)]);
    await this.database.run(MERGE, []);
  }

  /**
   * Called in the transaction that changes the words of the documents, so that no search finds a draft instead of its
   * publication.
   */
  private async writePublished(
    entries: readonly string[],
    changes: readonly Change[],
  ): Promise<void> {
    const dropped = new Map(
      changes.flatMap(({ document_id: id, droppedNumber }) =>
        droppedNumber === null ? [] : [[id, droppedNumber]],
      ),
    );
    const filled = changes.filter(({ published }) => published !== null);
    if (filled.length + dropped.size === 0) return;
    const ids = [...dropped.keys(), ...filled.map(({ document_id: id }) => id)];
    await this.database.run(LOCK_PUBLISHED, [ids]);
    if (dropped.size > 0)
      await this.database.run(DROP_PUBLISHED, [[...dropped.keys()], [...dropped.values()]]);
    if (entries.length === 0) return;
    await this.database.run(INDEX_PUBLISHED, [`[${entries.join(',')}]`]);
    await this.database.run(MERGE_PUBLISHED, []);
  }
}

/** Returns how far the index is behind, for one account. */
export async function accountLag(database: Database, accountId: string): Promise<Lag | undefined> {
  return (await database.read<Lag>(ACCOUNT_LAG, [accountId], accountId))[0];
}

/** Returns how far the index is behind, for all accounts. */
export async function totalLag(database: Database): Promise<Lag | undefined> {
  return (await database.read<Lag>(TOTAL_LAG, []))[0];
}
