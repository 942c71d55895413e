import { ArchivedLines } from '../../content/versioning/archived-lines.js';
import { time, uuid } from '../../content/versioning/archive-schemas.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { SupersededVersion } from '../../content/versioning/version.repository.js';
import { type VersionHistory, authorOf } from '../../content/versioning/versioned-resource.js';
import {
  batchesOf,
  batchStatement,
  type BatchRow,
} from '../../documents/model/document-batches.js';
import {
  DOCUMENTS,
  PATCHABLE_FIELDS,
  type ArchivedField,
  type Document,
  excerptOf,
  storedBytes,
} from '../../documents/model/document-fields.js';
import {
  type DocumentState,
  DocumentVersionsRepository,
} from '../../documents/versions/document-versions.repository.js';
import type { Database, Statement } from '../../../platform/database/database.js';
import {
  fromRow,
  INSERTED,
  INSERTED_VALUES,
  RECORD,
  toRow,
} from '../../documents/model/document-row.js';
import {
  VersionImport,
  type ImportContext,
  type Incoming,
} from '../../content/versioning/version-import.js';
import { AppError, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { RecordCounts } from '../archive-format.js';
import { ROOT } from '../../auth/access/rights.js';
import { violatesExternalId } from '../../documents/changes/external-ids.repository.js';

/** A document in an archive, with its current version. Lines of its older versions follow, newest first. */
export interface ArchivedDocument extends Pick<Document, ArchivedField>, VersionHistory {
  /** Time of deletion; null if the document is not in the trash. */
  deletedAt: Date | null;
  /** UUID. Undefined at the root. */
  collectionId?: string | undefined;
}

export type ArchivedVersion = SupersededVersion<DocumentState>;

export const DOCUMENT_LINES = new ArchivedLines<DocumentState, ArchivedDocument>({
  resource: DOCUMENTS,
  records: ['document', 'version'],
  owner: 'documentId',
  changeable: PATCHABLE_FIELDS,
  mayLackAuthor: false,
  more: { deletedAt: time.nullable(), collectionId: uuid('collection').optional() },
  stateProblem: wordCountProblem,
  problem: ({ deletedAt, createdAt }) =>
    deletedAt !== null && deletedAt < createdAt
      ? { field: 'deletedAt', issue: 'must not be before createdAt' }
      : undefined,
});

/** Returns the JSON members with the collection of a document: none at the root, as in version 1 of the format. */
export function placeMembers({ collectionId }: ArchivedDocument): string[] {
  if (collectionId === undefined) return [];
  return [`"collectionId":${JSON.stringify(encodeId('collection', collectionId))}`];
}

function wordCountProblem({ content, wordCount }: DocumentState): FieldProblem | undefined {
  if (wordCount <= content.length) return undefined;
  const issue = `must be a whole number from 0 to ${String(content.length)}`;
  return { field: 'wordCount', issue };
}

const LIVE = batchStatement('documents.archive-live', 'deleted_at IS NULL', 'created_at');
const TRASH = batchStatement('documents.archive-trash', 'deleted_at IS NOT NULL', 'deleted_at');

const COUNT: Statement = {
  name: 'documents.archive-count',
  text: `SELECT count(*)::double precision AS document, coalesce(sum(version - 1), 0)::double precision AS version
           FROM documents WHERE account_id = $1`,
};

/** Counts the documents of an account and their older versions. */
export async function countDocumentRecords(
  database: Database,
  accountId: string,
): Promise<RecordCounts> {
  const [row] = await database.run<RecordCounts>(COUNT, [accountId]);
  return { ...row };
}

/**
 * Returns every document of an account, those in the trash last. The older versions of each document follow it, newest
 * first. Consistent if the caller's transaction is repeatable read.
 */
export async function* readDocuments(
  database: Database,
  accountId: string,
): AsyncGenerator<ArchivedDocument | ArchivedVersion> {
  for (const statement of [LIVE, TRASH]) {
    for await (const rows of batchesOf(database, statement, accountId))
      yield* withVersions(database, accountId, rows.map(archivedFrom));
  }
}

async function* withVersions(
  database: Database,
  accountId: string,
  documents: readonly ArchivedDocument[],
): AsyncGenerator<ArchivedDocument | ArchivedVersion> {
  const versions = new DocumentVersionsRepository(database).superseded(accountId, documents);
  for (const document of documents) {
    yield document;
    for (let number = document.version - 1; number > 0; number -= 1) {
      const next = await versions.next();
      if (next.value) yield next.value;
    }
  }
}

function archivedFrom(row: BatchRow): ArchivedDocument {
  const { content, deletedAt, changes } = row;
  const document = fromRow(row);
  const collectionId = document.collectionId === ROOT ? undefined : document.collectionId;
  return { ...document, content, deletedAt, changes, collectionId, author: authorOf(row) };
}

/** Columns of `documents` that are not fields of the document. */
const OWN_COLUMNS =
  'deleted_at, version_author, version_changes, delta_bytes, delta_count, imported_version_bytes';
const OWN_RECORD =
  'deleted_at timestamptz, version_author uuid, version_changes text[], delta_bytes integer, delta_count integer, imported_version_bytes bigint';

/** Skips documents whose ID is taken in any account. The caller assigns new IDs. */
const INSERT: Statement = {
  name: 'documents.import',
  text: `INSERT INTO documents (${INSERTED}, ${OWN_COLUMNS})
    SELECT ${INSERTED_VALUES}, ${OWN_COLUMNS}
      FROM json_to_recordset($1::json) AS document (${RECORD}, ${OWN_RECORD})
    ON CONFLICT (id) DO NOTHING RETURNING id`,
};

const SET_VERSION_BYTES: Statement = {
  name: 'documents.set-imported-version-bytes',
  text: 'UPDATE documents SET imported_version_bytes = $3 WHERE id = $1 AND account_id = $2',
};

interface DocumentImportContext extends ImportContext {
  /** Returns the new id of a template in the archive. */
  templateOf: (templateId: string) => string;
  /** Returns the new id of a collection in the archive. */
  collectionOf: (collectionId: string) => string;
}

/** Imports archived documents with their versions, which count against the storage like the text that they hold. */
export class DocumentImport extends VersionImport<DocumentState, ArchivedDocument> {
  constructor(context: DocumentImportContext) {
    const { database } = context;
    super(context, new DocumentVersionsRepository(database), async (documents) => {
      const rows = documents.map((document) => rowOf(document, context));
      const written = await database
        .run<{ id: string }>(INSERT, [JSON.stringify(rows)])
        .catch(rethrowTaken);
      return new Set(written.map(({ id }) => id));
    });
  }

  override async addVersion(version: ArchivedVersion): Promise<void> {
    await super.addVersion(version);
    if (this.current) this.current.versionBytes += storedBytes(version);
  }

  protected override async endVersions(document: Incoming<ArchivedDocument>): Promise<void> {
    await super.endVersions(document);
    const { database, accountId } = this.context;
    if (document.versionBytes > 0)
      await database.run(SET_VERSION_BYTES, [document.id, accountId, document.versionBytes]);
  }
}

/**
 * Throws `conflict` for a taken external ID. The account was empty and each external ID occurs once in the archive, so
 * another request must have created the document.
 */
function rethrowTaken(error: unknown): never {
  if (!violatesExternalId(error)) throw error;
  throw new AppError(
    'conflict',
    'A document with an externalId of the archive was created during the import. Import into an account without other writes.',
  );
}

function rowOf(
  { archived, id, deltas, versionBytes }: Incoming<ArchivedDocument>,
  { accountId, userOf, templateOf, collectionOf }: DocumentImportContext,
): object {
  const { content, templateId, createdBy, version, author, changes, deletedAt } = archived;
  const { collectionId } = archived;
  const document = {
    ...archived,
    id,
    accountId,
    excerpt: excerptOf(content),
    collectionId: collectionId === undefined ? ROOT : collectionOf(collectionId),
    publishedVersion: null,
    hasUnpublishedChanges: false,
    templateId: templateId === null ? null : templateOf(templateId),
    createdBy: { ...createdBy, id: userOf(createdBy) },
  };
  return {
    ...toRow(document),
    content,
    deleted_at: deletedAt,
    version_author: version === 1 ? null : author && userOf(author),
    version_changes: version === 1 ? null : changes,
    delta_bytes: deltas.deltaBytes,
    delta_count: deltas.deltaCount,
    imported_version_bytes: versionBytes,
  };
}
