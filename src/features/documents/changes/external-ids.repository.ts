import { isNativeError } from 'node:util/types';
import type { Access, PlacedDocument } from '../../auth/access/access.js';
import type { Database, Statement } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { externalIdProblem } from '../../content/text-fields.js';

/** Makes external ids unique per account, except in the trash (docs/adr/0013-concurrent-changes-and-safe-retries.md). */
const INDEX = 'documents_external_id_idx';

const FIND: Statement = {
  name: 'documents.by-external-id',
  text: `SELECT id, collection_id AS "collectionId", CASE WHEN $3 THEN metadata::text ELSE '{}' END AS metadata FROM documents
          WHERE account_id = $1 AND external_id = $2 AND deleted_at IS NULL`,
};

/** Returns the UUID of the document with this external id, ignoring the trash and documents beyond the access. */
export async function findByExternalId(
  database: Database,
  access: Access,
  externalId: string,
): Promise<string | undefined> {
  if (externalIdProblem(externalId) !== undefined) return undefined;
  const values = [access.accountId, externalId, access.only !== null];
  const [row] = await database.run<PlacedDocument>(FIND, values);
  return row && access.includes(row) ? row.id : undefined;
}

const FIND_ALL: Statement = {
  name: 'documents.by-external-ids',
  text: `SELECT id, external_id AS "externalId", collection_id AS "collectionId", CASE WHEN $3 THEN metadata::text ELSE '{}' END AS metadata FROM documents
          WHERE account_id = $1 AND external_id = ANY ($2::text[]) AND deleted_at IS NULL`,
};

/** Returns the UUIDs of documents with these external ids, by external id, without documents beyond the access. */
export async function findByExternalIds(
  database: Database,
  access: Access,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const possible = externalIds.filter((id) => externalIdProblem(id) === undefined);
  if (possible.length === 0) return new Map();
  const values = [access.accountId, possible, access.only !== null];
  const rows = await database.run<PlacedDocument & { externalId: string }>(FIND_ALL, values);
  const found = rows.filter((row) => access.includes(row));
  return new Map(found.map(({ id, externalId }) => [externalId, id]));
}

/**
 * Runs `write`, which sets the external id of a document, in a savepoint. If the external ID is taken, throws `conflict`
 * with the ID of the other document if the access includes it, and the caller's transaction can continue. Without an
 * external ID, only runs `write`.
 */
export async function claimExternalId<Result>(
  database: Database,
  { access, externalId }: { access: Access; externalId: string | null },
  write: () => Promise<Result>,
): Promise<Result> {
  if (externalId === null) return write();
  try {
    return await database.savepoint(write, undefined, access.accountId);
  } catch (error) {
    if (!violatesExternalId(error)) throw error;
    throw externalIdTaken(externalId, await findByExternalId(database, access, externalId));
  }
}

/** Returns the error for a taken external id. `holder` is the UUID of the other document, if the caller can see it. */
export function externalIdTaken(externalId: string, holder: string | undefined): AppError {
  const id = holder === undefined ? undefined : encodeId('document', holder);
  const other = id ?? 'another document';
  return new AppError(
    'conflict',
    `The externalId '${externalId}' belongs to ${other}. Use another externalId, or change that document.`,
    {
      field: 'externalId',
      issue: `belongs to ${other}`,
      ...(id !== undefined && { documentId: id }),
    },
  );
}

/** True for the error of {@link externalIdTaken}. */
export function isExternalIdTaken(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    error.kind === 'conflict' &&
    error.details?.['field'] === 'externalId'
  );
}

/** True if the caller can see the document that has the external ID. */
export function namesHolder({ details }: AppError): boolean {
  return details?.['documentId'] !== undefined;
}

/** True if a statement violated the unique index on external IDs. */
export function violatesExternalId(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === INDEX;
}
