import { invalidFields, type AppError } from '../../platform/basics/errors/app-error.js';
import { decodeId, encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { Database, Statement } from '../../platform/database/database.js';
import type { Access } from '../auth/access/access.js';
import { isLimitable, type Scope } from '../auth/scopes.js';

const STANDING: Statement = {
  name: 'keys.standing-collections',
  text: 'SELECT id FROM collections WHERE account_id = $1 AND deleted_at IS NULL',
};

/**
 * Returns the UUIDs of the collections that a credential is limited to; null for no limit. Throws `bad_request` that names
 * each one that does not exist or that the caller cannot see. The key that changes can keep the collections in `held`.
 */
export async function limitOf(
  database: Database,
  ids: readonly string[] | null | undefined,
  access: Access,
  held: readonly string[] = [],
): Promise<string[] | null> {
  if (!ids) return null;
  const uuids = ids.map((id) => decodeId('collection', id));
  const allowed = new Set([...(await visibleCollections(database, access)), ...held]);
  const [first, ...more] = uuids.flatMap((uuid, index) =>
    uuid !== undefined && allowed.has(uuid) ? [] : [index],
  );
  if (first !== undefined) throw notVisible(first, ...more);
  return [...new Set(uuids as string[])];
}

/** True if the caller can see any collection. */
export async function seesCollections(database: Database, access: Access): Promise<boolean> {
  return (await visibleCollections(database, access)).length > 0;
}

/** Returns the UUIDs of the collections that the caller can see: an account has at most 1,000. */
async function visibleCollections(database: Database, access: Access): Promise<string[]> {
  const rows = await database.run<{ id: string }>(STANDING, [access.accountId]);
  return rows.map(({ id }) => id).filter((id) => access.rightIn(id) !== null);
}

/** Returns the public IDs of the collections that a credential is limited to. */
export function presentLimit(collections: readonly string[] | null): string[] | null {
  return collections && collections.map((id) => encodeId('collection', id));
}

/** Throws `bad_request` for a key with collections and scopes that are about the whole account. */
export function requireLimitable(
  scopes: readonly Scope[],
  collections: readonly string[] | null,
): void {
  if (collections === null) return;
  const others = scopes.filter((scope) => !isLimitable(scope));
  if (others.length > 0) throw notLimitable(others);
}

/** Returns the error for collections, by their places in the list, that do not exist or that the caller cannot see. */
export function notVisible(first: number, ...more: number[]): AppError {
  const issue = 'is not a collection that you can see; GET /v1/collections lists them';
  const problem = (place: number) => ({ field: `collections[${String(place)}]`, issue });
  return invalidFields([problem(first), ...more.map(problem)]);
}

export function notLimitable(scopes: readonly Scope[]): AppError {
  const issue = `contains ${scopes.join(', ')}, for the whole account; remove it, or leave out collections`;
  return invalidFields([{ field: 'scopes', issue }]);
}
