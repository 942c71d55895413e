import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { writeMarkdownFile } from '@document-service/conversion/markdown/front-matter';
import {
  MAX_ZIP_BYTES,
  MAX_ZIP_FILES,
  zipOf,
  type ZippedFile,
} from '@document-service/conversion/zip';
import { AccessFactory } from '../../auth/access/access-factory.js';
import { PresentPrincipals } from '../../auth/access/present-principals.js';
import { grants } from '../../auth/scopes.js';
import type { RequestContext } from '../../auth/request-context.js';
import type { Collection } from '../../collections/collection.js';
import { CollectionsRepository } from '../../collections/collections.repository.js';
import { AppError, notFound } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { beginSnapshot } from '../../../platform/database/snapshot.js';
import { fileNameOf } from '../../../platform/http/file-name.js';
import {
  RunsJobs,
  type FileOutput,
  type JobInput,
  type JobKind,
  type JobRun,
  type JobRunner,
} from '../../jobs/queue/job-kind.js';
import { StoredFilesRepository } from '../../jobs/stored-files.repository.js';
import { batchesOf, batchStatement } from '../model/document-batches.js';
import { FolderPaths } from './folder-paths.js';
import { visibleSubtree } from './visible-subtree.js';

export const COLLECTION_EXPORT = {
  name: 'collection.export',
  scope: 'documents:read',
  reads: 'collections',
  /** The exported collection, followed by those below it that the caller saw when ordering. */
  input: z.object({ collectionIds: z.array(z.uuid()).min(1) }),
  runsIn: 'thread',
  limits: {
    concurrency: 2,
    concurrencyPerAccount: 1,
    unfinishedPerAccount: 20,
    timeLimitMs: 2 * 60 * 60 * 1000,
    maxAttempts: 5,
  },
} as const satisfies JobKind;

type Input = JobInput<typeof COLLECTION_EXPORT>;

/** Walks the index of collections. */
const IN_COLLECTION = batchStatement(
  'documents.export-collection',
  'collection_id = $4 AND deleted_at IS NULL',
  'created_at',
);

const COUNT: Statement = {
  name: 'documents.count-in-collections',
  text: `SELECT count(*)::integer AS n FROM documents
          WHERE account_id = $1 AND collection_id = ANY ($2::uuid[]) AND deleted_at IS NULL`,
};

/** Exports the documents of a collection and of those below it as Markdown files in a zip. */
@RunsJobs(COLLECTION_EXPORT)
@Injectable()
export class CollectionExport implements JobRunner<Input> {
  constructor(
    private readonly database: Database,
    private readonly principals: PresentPrincipals,
    private readonly accesses: AccessFactory,
    private readonly collections: CollectionsRepository,
    private readonly files: StoredFilesRepository,
  ) {}

  /**
   * Reads rights, tree and documents in one snapshot, so that the rights of one place never decide about a document in
   * another. Throws `not_found` if the caller who ordered it no longer has a right in the collection, and `unprocessable` if
   * it is too large for a zip.
   */
  run({ accountId, input, context, signal, report }: JobRun<Input>): Promise<FileOutput> {
    return this.database.transaction(async () => {
      await beginSnapshot(this.database);
      const exported = await this.visible(input.collectionIds, context);
      const [{ name } = { name: '' }] = exported;
      const ids = exported.map(({ id }) => id);
      const [row] = await this.database.run<{ n: number }>(COUNT, [accountId, ids]);
      const total = row?.n ?? 0;
      if (total > MAX_ZIP_FILES) throw tooManyDocuments(total);
      const paths = new FolderPaths(exported);
      let done = 0;
      const documents = async function* (database: Database): AsyncGenerator<ZippedFile> {
        for (const id of ids) {
          for await (const rows of batchesOf(database, IN_COLLECTION, accountId, id)) {
            for (const row of rows) {
              yield {
                path: paths.of(row),
                content: writeMarkdownFile(row),
                changedAt: row.updatedAt,
              };
              done += 1;
            }
            signal.throwIfAborted();
            report({ done, total });
          }
        }
      };
      const zip = bounded(zipOf(documents(this.database)));
      return {
        file: await this.files.write(accountId, zip, signal),
        mediaType: 'application/zip',
        fileName: fileNameOf(name, 'zip'),
        summary: {
          documents: total,
          collections: ids.map((id) => encodeId('collection', id)),
        },
      };
    });
  }

  /** Returns the first collection and those below it that the caller still sees. Throws `not_found`. */
  private async visible(ids: readonly string[], context: RequestContext): Promise<Collection[]> {
    const principal = await this.principals.of(context);
    if (!principal || !grants(principal.scopes, COLLECTION_EXPORT.scope))
      throw notFound('collection');
    const tree = await this.collections.all(principal.accountId);
    const access = this.accesses.accessIn(tree, principal);
    return visibleSubtree(tree, ids[0] ?? '', access).filter(({ id }) => ids.includes(id));
  }
}

async function* bounded(zip: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const bytes of zip) {
    length += bytes.length;
    if (length > MAX_ZIP_BYTES) throw tooLarge();
    yield bytes;
  }
}

function tooManyDocuments(documents: number): AppError {
  return new AppError(
    'unprocessable',
    `This collection has ${String(documents)} documents. A zip can have at most ${String(MAX_ZIP_FILES)}. Export the collections below it one by one.`,
    { documents, limit: MAX_ZIP_FILES },
  );
}

function tooLarge(): AppError {
  return new AppError(
    'unprocessable',
    'The zip of this collection is larger than 4 GiB. Export the collections below it one by one.',
    { maxBytes: MAX_ZIP_BYTES },
  );
}
