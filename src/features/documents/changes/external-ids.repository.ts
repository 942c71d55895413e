import { isNativeError } from 'node:util/types';
import type { Database, Statement } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { Document } from '../model/document-fields.js';
import { externalIdProblem } from '../../content/text-fields.js';

/** Makes external ids unique per account, except in the trash (docs/adr/0013-concurrent-changes-and-safe-retries.md). */
const INDEX = 'documents_external_id_idx';

const FIND: Statement = {
  name: 'documents.by-external-id',
  text: 'SELECT id FROM documents WHERE account_id = $1 AND external_id = $2 AND deleted_at IS NULL',
};

/** Returns the UUID of the account's document with this external id, ignoring the trash. */
export async function findByExternalId(
  database: Database,
  accountId: string,
  externalId: string,
): Promise<string | undefined> {
  if (externalIdProblem(externalId) !== undefined) return undefined;
  const [row] = await database.run<{ id: string }>(FIND, [accountId, externalId]);
  return row?.id;
}

const FIND_ALL: Statement = {
  name: 'documents.by-external-ids',
  text: `SELECT id, external_id AS "externalId" FROM documents
          WHERE account_id = $1 AND external_id = ANY ($2::text[]) AND deleted_at IS NULL`,
};

/** Returns the UUIDs of the account's documents with these external ids, by external id. */
export async function findByExternalIds(
  database: Database,
  accountId: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const possible = externalIds.filter((id) => externalIdProblem(id) === undefined);
  if (possible.length === 0) return new Map();
  const rows = await database.run<{ id: string; externalId: string }>(FIND_ALL, [
    accountId,
    possible,
  ]);
  return new Map(rows.map(({ id, externalId }) => [externalId, id]));
}

/**
 * Runs `write`, which sets the external id of a document, in a savepoint. If the external ID is taken, throws `conflict`
 * with the ID of the other document, and the caller's transaction can continue.
 */
export async function claimExternalId<Result>(
  database: Database,
  { accountId, externalId }: Pick<Document, 'accountId' | 'externalId'>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await database.savepoint(write, undefined, accountId);
  } catch (error) {
    if (externalId === null || !violatesExternalId(error)) throw error;
    throw externalIdTaken(externalId, await findByExternalId(database, accountId, externalId));
  }
}

/** Returns the error for a taken external id. `holder` is the UUID of the other document, if it still exists. */
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
export function isExternalIdTaken(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.kind === 'conflict' &&
    error.details?.['field'] === 'externalId'
  );
}

/** True if a statement violated the unique index on external IDs. */
export function violatesExternalId(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === INDEX;
}
