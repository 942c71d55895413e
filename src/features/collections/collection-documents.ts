import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { Database, Statement } from '../../platform/database/database.js';
import type { Access } from '../auth/access/access.js';
import { ROOT } from '../auth/access/rights.js';

/** Lets other documents be added and the collection be renamed and moved, but not deleted, until the transaction ends. */
const HOLD: Statement = {
  name: 'collections.hold',
  text: `SELECT id FROM collections WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL FOR KEY SHARE`,
};

/** A place for documents. Ids are UUIDs; {@link ROOT} is in every account. */
interface DocumentPlace {
  accountId: string;
  collectionId: string;
}

/**
 * Calls `work`, which puts a document into a collection, in a transaction in which nobody can delete the collection. Throws
 * the error of `missing` if the collection does not exist. The root needs no transaction.
 */
export function inCollection<Result>(
  database: Database,
  { accountId, collectionId }: DocumentPlace,
  work: () => Promise<Result>,
  missing: () => Error,
): Promise<Result> {
  if (collectionId === ROOT) return work();
  const inTransaction = async () => {
    const [held] = await database.run(HOLD, [collectionId, accountId]);
    if (!held) throw missing();
    return work();
  };
  return database.transaction(inTransaction, undefined, accountId);
}

const subtrees = (name: string, condition = ''): Statement => ({
  name,
  text: `WITH RECURSIVE below AS (
      SELECT unnest($2::uuid[]) AS id
      UNION
      SELECT child.id FROM below JOIN collections AS child ON child.account_id = $1 AND child.parent_id = below.id${condition}
    ) SELECT array_agg(id ORDER BY id) AS ids FROM below`,
});

const SUBTREES = subtrees('collections.subtrees');
/** Only visible collections, `$3`, and what can be reached through them. */
const VISIBLE_SUBTREES = subtrees(
  'collections.visible-subtrees',
  ' AND child.id = ANY ($3::uuid[])',
);

/**
 * Returns the collections, which the caller can see, and all below them, deleted ones too. A collection below a hidden one
 * is not below the collections above that one.
 */
export async function withSubtrees(
  database: Database,
  { accountId, isWhole, rights }: Access,
  ids: readonly string[],
): Promise<string[]> {
  const [statement, values] =
    isWhole || rights === null
      ? [SUBTREES, [accountId, ids]]
      : [VISIBLE_SUBTREES, [accountId, ids, rights.visible]];
  const [row] = await database.read<{ ids: string[] }>(statement, values, accountId);
  return row?.ids ?? [];
}

/** Returns the stored form of a collection in a request: null is the root. Undefined if it is not the ID of a collection. */
export function collectionUuid(id: string | null): string | undefined {
  return id === null ? ROOT : decodeId('collection', id);
}
