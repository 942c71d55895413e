import { AppError, invalidFields } from '../../platform/basics/errors/app-error.js';

export const MAX_COLLECTIONS = 1_000;
/** Levels of collections below the root. */
export const MAX_DEPTH = 8;
export const MAX_NAME_CHARACTERS = 200;

/** A collection. IDs are UUIDs. */
export interface Collection {
  id: string;
  accountId: string;
  /** Null at the root. */
  parentId: string | null;
  name: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The place of a collection in the tree of its account. */
export type CollectionPlace = Pick<Collection, 'id' | 'parentId'>;

/**
 * Throws `conflict` if a collection, with those below it, cannot be below `parentId`: it would be below itself or too
 * deep. Throws `bad_request` for an unknown parent. `id` is undefined for a new collection.
 */
export function requirePlace(
  tree: readonly CollectionPlace[],
  { id, parentId }: { id: string | undefined; parentId: string | null },
): void {
  const parents = new Map(tree.map((place) => [place.id, place.parentId]));
  if (parentId !== null && !parents.has(parentId)) throw noSuchCollection('parentId');
  let depth = 1;
  for (let above = parentId; above !== null; above = parents.get(above) ?? null) {
    if (above === id) throw belowItself();
    depth += 1;
  }
  if (depth + (id === undefined ? 0 : levelsBelow(tree, id)) > MAX_DEPTH) throw tooDeep();
}

/** Returns the number of levels below a collection; 0 if there are none. */
function levelsBelow(tree: readonly CollectionPlace[], id: string): number {
  let levels = 0;
  let level = new Set([id]);
  for (;;) {
    const below = tree.filter(({ parentId }) => parentId !== null && level.has(parentId));
    if (below.length === 0) return levels;
    level = new Set(below.map((place) => place.id));
    levels += 1;
  }
}

/** Returns the error for a collection that does not exist, in a field of a body. */
export function noSuchCollection(field: 'collectionId' | 'parentId'): AppError {
  return invalidFields([{ field, issue: 'is not a collection of this account' }]);
}

export function belowItself(): AppError {
  return new AppError(
    'conflict',
    'A collection cannot be moved into itself or into a collection below it. Choose another parent.',
    { field: 'parentId', issue: 'is this collection, or is below it' },
  );
}

export function tooDeep(): AppError {
  return new AppError(
    'conflict',
    `Collections can have at most ${String(MAX_DEPTH)} levels. Choose a parent closer to the root.`,
    {
      field: 'parentId',
      issue: `leads to more than ${String(MAX_DEPTH)} levels`,
      limit: MAX_DEPTH,
    },
  );
}

export function tooManyCollections(): AppError {
  return new AppError(
    'conflict',
    `This account has ${String(MAX_COLLECTIONS)} collections, which is the maximum. Delete a collection you no longer need.`,
  );
}

/** Returns the error for deleting a collection that contains something. It says nothing about what that is. */
export function collectionNotEmpty(): AppError {
  return new AppError(
    'conflict',
    'This collection is not empty. Move or delete the documents and collections in it first.',
  );
}
