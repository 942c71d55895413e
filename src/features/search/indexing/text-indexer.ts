import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { Log } from '../../../platform/operation/log/log.js';
import { LANE_NICENESS } from '../../../platform/threads/lanes.js';
import { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../platform/threads/thread-task.js';
import {
  indexEntry,
  SEARCHED_FIELDS,
  searchedLength,
  type Indexed,
  type SearchedDocument,
  type SearchedFields,
} from './index-entry.js';

/** A document is found by its words within a second. Few batches cost less: each merges what it wrote into the index. */
const EVERY_MS = 250;
/** Documents of a batch, and of an account in it: nobody waits for the bulk load of another one. */
const MOST_IN_BATCH = 1_000;
const MOST_OF_ACCOUNT = 500;
/** A batch that failed is tried again with so much less; one that did not lets the next have so much more. */
const FACTOR = 8;
/** UTF-8 bytes of text of a batch, unless one document has more. */
const MOST_BYTES = 2 * 1024 * 1024;
/** UTF-16 units of text of a batch that are prepared on the event loop: it takes a few ms. */
const MOST_AT_ONCE = 32 * 1024;
/** Time of a batch in the thread: it takes less than a second on a processor of its own. */
const THREAD_LIMIT_MS = 60_000;
/** Time of a batch in PostgreSQL; one that takes longer is tried again with fewer documents. */
const BATCH_MS = 10_000;

/**
 * SQLSTATEs by which PostgreSQL refuses the work itself, such as a statement that takes too long; all others say that it
 * is away or busy, which is no fault of a document.
 */
const REFUSED = /^(?:57014|(?:2[12]|39|54|P0|XX)...)$/;

const LIMIT: Statement = {
  name: 'search.limit',
  text: `SELECT set_config('statement_timeout', '${String(BATCH_MS)}', true)`,
};

/** One process indexes at a time, so that a later change of a document is never overtaken by an earlier one. */
const LOCK: Statement = {
  name: 'search.lock',
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('search', 0)) AS taken`,
};

/**
 * The oldest change of each account, then the second ones, and so on. Accounts are met one after the other in the index,
 * because a load has many changes.
 */
function takeStatement({ titles, contents }: SearchedFields): Statement {
  const searched = Object.entries({ ...titles, ...contents });
  const columns = searched.map(([name, column]) => `item.${column} AS "${name}"`).join(', ');
  const bytes = searched
    .map(([, column]) => `coalesce(octet_length(item.${column}), 0)`)
    .join(' + ');
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
           WHERE account_id = account.id ORDER BY id LIMIT ${String(MOST_OF_ACCOUNT)}) AS change
       WHERE account.id IS NOT NULL ORDER BY change.turn, change.id LIMIT $1
    ), sized AS (
      SELECT taken.account_id, taken.id AS change_id, taken.document_id, item.id IS NOT NULL AS exists, item.created_at, item.ai_settings, ${columns},
             ${bytes} AS bytes, sum(${bytes}) OVER (ORDER BY taken.turn, taken.id) AS bytes_so_far
        FROM taken LEFT JOIN LATERAL (SELECT * FROM documents WHERE documents.id = taken.document_id LIMIT 1) AS item ON true
    )
    SELECT sized.*, bytes_so_far >= ${String(MOST_BYTES)} AS fills FROM sized
     WHERE bytes_so_far - bytes < ${String(MOST_BYTES)} ORDER BY change_id`,
  };
}

const INDEX: Statement = { name: 'search.index', text: 'SELECT index_texts($1::json)' };

const REMOVE: Statement = {
  name: 'search.remove',
  text: 'DELETE FROM document_texts WHERE document_id = ANY ($1::uuid[])',
};

const DONE: Statement = {
  name: 'search.done',
  text: `DELETE FROM search_changes USING unnest($1::uuid[], $2::bigint[]) AS done (account_id, id)
          WHERE search_changes.account_id = done.account_id AND search_changes.id = done.id`,
};

/** Few long lists of pending entries are read fast; the index as it is, faster. */
const MERGE: Statement = {
  name: 'search.merge',
  text: `SELECT gin_clean_pending_list('document_texts_vector_idx')`,
};

interface Change extends SearchedDocument {
  change_id: string;
  exists: boolean;
  /** Whether the batch has no room for texts after this one. */
  fills: boolean;
}

/** Keeps the index of words up to date, in the background: batches of changes in their order. Several workers may run it. */
@RunsInBackground({ name: 'The indexing of documents for searches', everyMs: EVERY_MS })
@Injectable()
export class TextIndexer implements BackgroundTask, OnApplicationShutdown {
  private pool: ThreadPool | undefined;
  /** Documents of the next batch. */
  private most = MOST_IN_BATCH;
  private readonly take: Statement;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
    @Inject(SEARCHED_FIELDS) private readonly fields: SearchedFields,
  ) {
    this.take = takeStatement(fields);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.close();
  }

  /** A batch that PostgreSQL refuses is tried again in a smaller part, down to one document. Rejects when it is away. */
  async runBatch(): Promise<boolean> {
    try {
      const mayBeMore = await this.index(this.most);
      this.most = Math.min(MOST_IN_BATCH, this.most * FACTOR);
      return mayBeMore;
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
    if (this.most === 1) await this.indexLess();
    this.most = Math.ceil(this.most / FACTOR);
    return true;
  }

  /** Indexes the next document by its title, or, where PostgreSQL refuses that too, by nothing. */
  private async indexLess(): Promise<void> {
    try {
      await this.index(1, 'title');
    } catch (error) {
      if (!isRefused(error)) throw error;
      await this.index(1, 'nothing');
    }
  }

  /** Indexes at most so many documents with their texts or less; whether more may wait than the batch had room for. */
  private async index(most: number, what: Indexed = 'texts'): Promise<boolean> {
    return this.database.transaction(async () => {
      const [lock] = await this.database.run<{ taken: boolean }>(LOCK, []);
      if (!lock?.taken) return false;
      await this.database.run(LIMIT, []);
      const changes = await this.database.run<Change>(this.take, [most]);
      if (changes.length > 0) await this.write(changes, what);
      return (
        changes.length >= Math.min(most, MOST_OF_ACCOUNT) || changes.some(({ fills }) => fills)
      );
    });
  }

  private async write(changes: readonly Change[], what: Indexed): Promise<void> {
    // Each document once, as it is now.
    const documents = [...new Map(changes.map((change) => [change.document_id, change])).values()];
    const existing = documents.filter(({ exists }) => exists);
    if (what !== 'texts') {
      for (const document of existing) {
        this.log.warn(
          { accountId: document.account_id, documentId: document.document_id },
          'The content of a document could not be put into the search index: searches find it by its title and filters until it changes.',
        );
      }
    }
    const texts = await this.entries(existing, what);
    if (texts.length > 0) await this.database.run(INDEX, [`[${texts.join(',')}]`]);
    const removed = documents
      .filter(({ exists }) => !exists)
      .map((document) => document.document_id);
    if (removed.length > 0) await this.database.run(REMOVE, [removed]);
    await this.database.run(DONE, [
      changes.map((one) => one.account_id),
      changes.map((one) => one.change_id),
    ]);
    await this.database.run(MERGE, []);
  }

  /** Long texts are prepared in a thread, because one of 1 MiB takes 0.1 s. */
  private async entries(documents: readonly Change[], what: Indexed): Promise<string[]> {
    const length = documents.reduce(
      (sum, document) => sum + searchedLength(document, this.fields),
      0,
    );
    if (length <= MOST_AT_ONCE) {
      return documents.map((document) => indexEntry(document, what, this.fields));
    }
    this.pool ??= new ThreadPool({
      ...threadModule(import.meta.url, 'index-thread'),
      threads: 1,
      niceness: LANE_NICENESS.short,
      maxWaiting: 1,
      maxOfOwner: 2,
      timeLimitMs: THREAD_LIMIT_MS,
      waitLimitMs: THREAD_LIMIT_MS,
      idleMs: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    });
    return (await this.pool.run('', { documents, what, fields: this.fields })) as string[];
  }
}

/** Whether PostgreSQL refused the work, rather than being away. */
function isRefused(error: unknown): boolean {
  return REFUSED.test(String((error as { code?: unknown }).code));
}
