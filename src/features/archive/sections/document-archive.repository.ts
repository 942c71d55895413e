import { ArchivedLines } from '../../content/versioning/archived-lines.js';
import { read, time, uuid } from '../../content/versioning/archive-schemas.js';
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
  restoredFields,
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
  PUBLISHED_INSERTED,
  PUBLISHED_VALUES,
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
import {
  insertHistory,
  PIN_SCHEMA,
  readPublications,
  type ArchivedPin,
  type ArchivedPublication,
} from './publication-archive.repository.js';
import { violatesExternalId } from '../../documents/changes/external-ids.repository.js';

/** A document in an archive, with its current version. Lines of its older versions follow, newest first. */
export interface ArchivedDocument extends Pick<Document, ArchivedField>, VersionHistory {
  /** Time of deletion; null if the document is not in the trash. */
  deletedAt: Date | null;
  /** UUID. Undefined at the root. */
  collectionId?: string | undefined;
  /** Undefined if the document has no published version. */
  published?: ArchivedPin | undefined;
}

export type ArchivedVersion = SupersededVersion<DocumentState>;

export const DOCUMENT_LINES = new ArchivedLines<DocumentState, ArchivedDocument>({
  resource: DOCUMENTS,
  records: ['document', 'version'],
  owner: 'documentId',
  changeable: PATCHABLE_FIELDS,
  mayLackAuthor: false,
  more: {
    deletedAt: time.nullable(),
    collectionId: uuid('collection').optional(),
    published: read<ArchivedPin>(
      (value) => PIN_SCHEMA.safeParse(value).data,
      'must have version and changed',
    ).optional(),
  },
  stateProblem: wordCountProblem,
  problem: (document) => deletionProblem(document) ?? pinProblem(document),
});

function deletionProblem({ deletedAt, createdAt }: ArchivedDocument): FieldProblem | undefined {
  return deletedAt !== null && deletedAt < createdAt
    ? { field: 'deletedAt', issue: 'must not be before createdAt' }
    : undefined;
}

function pinProblem({ published, status, version }: ArchivedDocument): FieldProblem | undefined {
  if (published === undefined) return undefined;
  const field = 'published';
  if (status !== 'published')
    return { field, issue: `must be missing, because the status is ${status}` };
  if (published.version > version) return { field, issue: 'must have a version of the document' };
  return published.changed && published.version === version
    ? { field, issue: 'must not have changed, because it has the current version' }
    : undefined;
}

/**
 * Returns the JSON members that are not fields of documents. Those that a document lacks are missing, as in the versions of
 * the format before them.
 */
export function ownMembers({ deletedAt, collectionId, published }: ArchivedDocument): string[] {
  const place = collectionId && { collectionId: encodeId('collection', collectionId) };
  const members = { deletedAt, ...place, ...(published && { published }) };
  return [JSON.stringify(members).slice(1, -1)];
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
  text: `SELECT count(*)::double precision AS document, coalesce(sum(version - 1), 0)::double precision AS version,
                (SELECT count(*) FROM publication_history WHERE account_id = $1)::double precision AS publication
           FROM documents WHERE account_id = $1`,
};

/** Counts the documents of an account, their older versions, and their publications. */
export async function countDocumentRecords(
  database: Database,
  accountId: string,
): Promise<RecordCounts> {
  const [row] = await database.run<RecordCounts>(COUNT, [accountId]);
  return { ...row };
}

/**
 * Returns every document of an account, those in the trash last. The older versions of each document follow it, newest
 * first, and then its publications. Consistent if the caller's transaction is repeatable read.
 */
export async function* readDocuments(
  database: Database,
  accountId: string,
): AsyncGenerator<ArchivedDocument | ArchivedVersion | ArchivedPublication> {
  for (const statement of [LIVE, TRASH]) {
    for await (const rows of batchesOf(database, statement, accountId))
      yield* withHistory(database, accountId, rows.map(archivedFrom));
  }
}

async function* withHistory(
  database: Database,
  accountId: string,
  documents: readonly ArchivedDocument[],
): AsyncGenerator<ArchivedDocument | ArchivedVersion | ArchivedPublication> {
  const versions = new DocumentVersionsRepository(database).superseded(accountId, documents);
  const ids = documents.map(({ id }) => id);
  const publications = readPublications(database, accountId, ids);
  let publication = await publications.next();
  for (const document of documents) {
    yield document;
    for (let number = document.version - 1; number > 0; number -= 1) {
      const next = await versions.next();
      if (next.value) yield next.value;
    }
    while (!publication.done && publication.value.documentId === document.id) {
      yield publication.value;
      publication = await publications.next();
    }
  }
}

function archivedFrom(row: BatchRow): ArchivedDocument {
  const { content, deletedAt, changes } = row;
  const document = fromRow(row);
  const { publishedVersion: version, hasUnpublishedChanges: changed } = document;
  return {
    ...document,
    content,
    deletedAt,
    changes,
    collectionId: document.collectionId === ROOT ? undefined : document.collectionId,
    published: version === null ? undefined : { version, changed },
    author: authorOf(row),
  };
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

const OWN_PUBLISHED = 'version_author, deleted_at, number, published_at, first_published_at';

/** Inserts the published versions of documents, which are stored already. */
const INSERT_PUBLISHED: Statement = {
  name: 'publications.import',
  text: `INSERT INTO publications (${PUBLISHED_INSERTED}, ${OWN_PUBLISHED})
    SELECT ${PUBLISHED_VALUES}, ${OWN_PUBLISHED}
      FROM json_to_recordset($1::json) AS publication (
        ${RECORD}, version_author uuid, deleted_at timestamptz, number integer, published_at timestamptz, first_published_at timestamptz)`,
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

/** A version of a document that is being imported, which readers get. */
interface IncomingPublication {
  owner: Incoming<ArchivedDocument>;
  version: PublishedVersion;
  publication: ArchivedPublication;
  firstPublishedAt: Date;
}

type PublishedVersion = DocumentState & Pick<Document, 'version' | 'updatedAt'> & VersionHistory;

const BATCH_PUBLICATIONS = 500;

/**
 * Imports archived documents with their versions, which count against the storage like the text that they hold, and their
 * publications, which do not.
 */
export class DocumentImport extends VersionImport<DocumentState, ArchivedDocument> {
  /** The version of the current document that readers get, once it has been read. */
  private published: PublishedVersion | undefined;
  /** The newest publication of the current document. */
  private newest: ArchivedPublication | undefined;
  private firstPublishedAt = new Date(0);
  private history: { owner: Incoming<ArchivedDocument>; publication: ArchivedPublication }[] = [];
  private publications: IncomingPublication[] = [];

  constructor(private readonly documentContext: DocumentImportContext) {
    const { database } = documentContext;
    super(documentContext, new DocumentVersionsRepository(database), async (documents) => {
      const rows = documents.map((document) => rowOf(document, documentContext));
      const written = await database
        .run<{ id: string }>(INSERT, [JSON.stringify(rows)])
        .catch(rethrowTaken);
      return new Set(written.map(({ id }) => id));
    });
  }

  override async add(document: ArchivedDocument): Promise<void> {
    await super.add(document);
    this.newest = undefined;
    this.published = document.published?.version === document.version ? document : undefined;
  }

  override async addVersion(version: ArchivedVersion): Promise<void> {
    await super.addVersion(version);
    if (!this.current) return;
    this.current.versionBytes += storedBytes(version);
    const { number, createdAt } = version;
    if (number === this.current.archived.published?.version)
      this.published = { ...version, version: number, updatedAt: createdAt };
  }

  /** Call it after the versions of the document, newest first. */
  async addPublication(publication: ArchivedPublication): Promise<void> {
    const { current: owner, published: version } = this;
    if (!owner) throw new Error('A publication precedes its document.');
    const { publishedAt, number } = publication;
    if (!this.newest || publishedAt < this.firstPublishedAt) this.firstPublishedAt = publishedAt;
    this.newest ??= publication;
    this.history.push({ owner, publication });
    if (number === 1 && version) {
      const { newest, firstPublishedAt } = this;
      this.publications.push({ owner, version, publication: newest, firstPublishedAt });
    }
    if (this.history.length >= BATCH_PUBLICATIONS) await this.flush();
  }

  protected override async flush(): Promise<void> {
    await super.flush();
    const { history, publications, documentContext: context } = this;
    [this.history, this.publications] = [[], []];
    if (history.length === 0) return;
    const rows = history.map(({ owner, publication }) => ({
      ...publication,
      documentId: owner.id,
    }));
    await insertHistory(rows, context);
    const published = publications.map((publication) => publishedRowOf(publication, context));
    await context.database.run(INSERT_PUBLISHED, [JSON.stringify(published)]);
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

/** Returns the document of an archive with the IDs of this account. */
function documentOf(
  { archived, id }: Incoming<ArchivedDocument>,
  { accountId, userOf, templateOf, collectionOf }: DocumentImportContext,
) {
  const { content, templateId, createdBy, collectionId, published } = archived;
  return {
    ...archived,
    id,
    accountId,
    excerpt: excerptOf(content),
    collectionId: collectionId === undefined ? ROOT : collectionOf(collectionId),
    publishedVersion: published?.version ?? null,
    hasUnpublishedChanges: published?.changed ?? false,
    templateId: templateId === null ? null : templateOf(templateId),
    createdBy: { ...createdBy, id: userOf(createdBy) },
  };
}

function rowOf(incoming: Incoming<ArchivedDocument>, context: DocumentImportContext): object {
  const { archived, deltas, versionBytes } = incoming;
  const { content, version, author, changes, deletedAt } = archived;
  return {
    ...toRow(documentOf(incoming, context)),
    content,
    deleted_at: deletedAt,
    version_author: version === 1 ? null : author && context.userOf(author),
    version_changes: version === 1 ? null : changes,
    delta_bytes: deltas.deltaBytes,
    delta_count: deltas.deltaCount,
    imported_version_bytes: versionBytes,
  };
}

function publishedRowOf(
  { owner, version, publication, firstPublishedAt }: IncomingPublication,
  context: DocumentImportContext,
): object {
  const { content, wordCount, updatedAt, author } = version;
  const document = documentOf(owner, context);
  const authorId = author && context.userOf(author);
  const published = {
    ...document,
    ...restoredFields(version),
    ...{ wordCount, updatedAt },
    excerpt: excerptOf(content),
    version: version.version,
  };
  return {
    ...toRow(published),
    content,
    version_author: authorId === document.createdBy.id ? null : authorId,
    deleted_at: owner.archived.deletedAt,
    number: publication.number,
    published_at: publication.publishedAt,
    first_published_at: firstPublishedAt,
  };
}
