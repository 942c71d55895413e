import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { Database } from '../../../platform/database/database.js';
import { Log } from '../../../platform/operation/log.js';
import { NICENESS } from '../../../platform/threads/task-length.js';
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
import {
  MAX_CHANGES_PER_ACCOUNT,
  SearchIndexRepository,
  type Change,
} from './search-index.repository.js';

/**
 * Poll interval. Changes are searchable within a second. Fewer batches are cheaper, because each one merges the GIN index.
 */
const EVERY_MS = 250;
/** Maximum number of documents in a batch. */
const MAX_BATCH = 1_000;
/** The batch size is divided by this after a failure, and multiplied after a success. */
const FACTOR = 8;
/** Maximum text of a batch to prepare on the event loop, in UTF-16 code units. Takes a few ms. */
const MAX_INLINE_LENGTH = 32 * 1024;
/** Time limit of a batch in the thread. It takes less than one second on an idle CPU. */
const THREAD_LIMIT_MS = 60_000;

/** SQLSTATEs caused by the documents, such as a statement timeout. All others mean that PostgreSQL is unavailable or busy. */
const DOCUMENT_ERRORS = /^(?:57014|(?:2[12]|39|54|P0|XX)...)$/;

/** Updates the search index in the background, in batches of changes in order. Safe to run in several workers. */
@RunsInBackground({ name: 'The indexing of documents for searches', everyMs: EVERY_MS })
@Injectable()
export class TextIndexer implements BackgroundTask, OnApplicationShutdown {
  private pool: ThreadPool | undefined;
  /** Size of the next batch. */
  private batchSize = MAX_BATCH;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
    private readonly index: SearchIndexRepository,
    @Inject(SEARCHED_FIELDS) private readonly fields: SearchedFields,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.close();
  }

  /** Retries a failed batch with fewer documents, down to one. Rejects if PostgreSQL is unavailable. */
  async runBatch(): Promise<boolean> {
    try {
      const mayBeMore = await this.indexBatch(this.batchSize);
      this.batchSize = Math.min(MAX_BATCH, this.batchSize * FACTOR);
      return mayBeMore;
    } catch (error) {
      if (!isDocumentError(error)) throw error;
    }
    if (this.batchSize === 1) await this.indexLess();
    this.batchSize = Math.ceil(this.batchSize / FACTOR);
    return true;
  }

  /** Indexes the next document by its title, or without any text if that also fails. */
  private async indexLess(): Promise<void> {
    try {
      await this.indexBatch(1, 'title');
    } catch (error) {
      if (!isDocumentError(error)) throw error;
      await this.indexBatch(1, 'nothing');
    }
  }

  /** Indexes at most `max` documents. Returns true if more changes may be pending. */
  private async indexBatch(max: number, what: Indexed = 'texts'): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.index.lock())) return false;
      const changes = await this.index.take(max);
      if (changes.length > 0) await this.write(changes, what);
      return (
        changes.length >= Math.min(max, MAX_CHANGES_PER_ACCOUNT) ||
        changes.some(({ fills }) => fills)
      );
    });
  }

  private async write(changes: readonly Change[], what: Indexed): Promise<void> {
    // Take each document once, in its current state.
    const documents = [...new Map(changes.map((change) => [change.document_id, change])).values()];
    const existing = documents.filter(({ exists }) => exists);
    if (what !== 'texts') {
      for (const document of existing) {
        this.log.warn(
          { accountId: document.account_id, documentId: document.document_id },
          'The content of a document could not be indexed. Searches find it only by title and filters until it changes.',
        );
      }
    }
    const published = existing.flatMap(publishedText);
    const entries = await this.entries([...existing, ...published], what);
    const publishedEntries = entries.splice(existing.length);
    const deleted = documents.filter(({ exists }) => !exists).map((one) => one.document_id);
    await this.index.write(entries, publishedEntries, deleted, changes);
  }

  /** Returns index entries. Prepares long texts in a thread, because 1 MiB takes 0.1 s. */
  private async entries(documents: readonly SearchedDocument[], what: Indexed): Promise<string[]> {
    const length = documents.reduce(
      (sum, document) => sum + searchedLength(document, this.fields),
      0,
    );
    if (length <= MAX_INLINE_LENGTH) {
      return documents.map((document) => indexEntry(document, what, this.fields));
    }
    this.pool ??= new ThreadPool({
      ...threadModule(import.meta.url, 'index-thread'),
      threads: 1,
      niceness: NICENESS.short,
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

/** Returns the published text of a document, if it is to be indexed. */
function publishedText({
  account_id,
  document_id,
  created_at,
  published,
}: Change): SearchedDocument[] {
  if (published === null) return [];
  return [{ account_id, document_id, created_at, ...(JSON.parse(published) as PublishedText) }];
}

type PublishedText = Pick<SearchedDocument, 'ai_settings' | 'number'>;

function isDocumentError(error: unknown): boolean {
  return DOCUMENT_ERRORS.test(String((error as { code?: unknown }).code));
}
