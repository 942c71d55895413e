import type { Statement } from '../../../platform/database/database.js';
import {
  VersionImport,
  type ImportSurroundings,
  type Incoming,
} from '../../content/versions/version-import.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { excerptOf } from '../document-fields.js';
import { INSERTED, INSERTED_VALUES, RECORD, toRow } from '../document-row.js';
import { violatesExternalId } from '../external-ids.js';
import { DocumentVersions, type DocumentState } from '../versions/document-versions.js';
import type { ArchivedDocument } from './archived-document.js';

/** What a row of `documents` has beside the fields of the document. */
const OWN_COLUMNS = 'deleted_at, version_author, version_changes, delta_bytes, delta_count';
const OWN_RECORD =
  'deleted_at timestamptz, version_author uuid, version_changes text[], delta_bytes integer, delta_count integer';

/** Nothing happens to a document whose id is taken, by whatever account; it gets another one. */
const INSERT: Statement = {
  name: 'documents.import',
  text: `INSERT INTO documents (${INSERTED}, ${OWN_COLUMNS})
    SELECT ${INSERTED_VALUES}, ${OWN_COLUMNS}
      FROM json_to_recordset($1::json) AS document (${RECORD}, ${OWN_RECORD})
    ON CONFLICT (id) DO NOTHING RETURNING id`,
};

interface DocumentSurroundings extends ImportSurroundings {
  /** The id that a template of the archive has now. */
  templateOf: (templateId: string) => string;
}

/** Writes archived documents with their versions. */
export class DocumentImport extends VersionImport<DocumentState, ArchivedDocument> {
  constructor(around: DocumentSurroundings) {
    const { database } = around;
    super(around, new DocumentVersions(database), async (documents) => {
      const rows = documents.map((document) => rowOf(document, around));
      const written = await database
        .run<{ id: string }>(INSERT, [JSON.stringify(rows)])
        .catch(refuseTaken);
      return new Set(written.map(({ id }) => id));
    });
  }
}

/** The account was empty when the import began, and each external id is once in the archive. */
function refuseTaken(error: unknown): never {
  if (!violatesExternalId(error)) throw error;
  throw new AppError(
    'conflict',
    'A document was made meanwhile that has an externalId of the archive. Import into an account that nobody writes to.',
  );
}

function rowOf(
  { archived, id, deltas }: Incoming<ArchivedDocument>,
  { accountId, userOf, templateOf }: DocumentSurroundings,
): object {
  const { content, templateId, createdBy, version, author, changes, deletedAt } = archived;
  const document = {
    ...archived,
    id,
    accountId,
    excerpt: excerptOf(content),
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
  };
}
