import {
  AppError,
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../platform/basics/errors/app-error.js';
import type { Access } from '../auth/access/access.js';
import type { Right, TreeCollection } from '../auth/access/rights.js';

export const MAX_COLLECTIONS = 1_000;
/** Levels of collections below the root. */
export const MAX_DEPTH = 8;
export const MAX_NAME_CHARACTERS = 200;

/** A collection. IDs are UUIDs. */
export interface Collection extends TreeCollection {
  accountId: string;
  name: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The fields of a collection that are shown to all who see it. */
export type ListedCollection = Omit<Collection, 'access' | 'createdBy'> & {
  /** True if it has an access of its own. */
  isRestricted: boolean;
};

/** A collection as a caller sees it: without a parent in which the caller has no right. */
export type VisibleCollection = ListedCollection & { right: Right };

/** The place of a collection in the tree of its account. */
export type CollectionPlace = Pick<Collection, 'id' | 'parentId'>;

/** Returns a collection as a caller sees it. Throws `not_found` if the caller has no right in it. */
export function seenBy<Seen extends ListedCollection>(
  access: Access,
  collection: Seen,
): Seen & VisibleCollection {
  const right = access.rightIn(collection.id);
  if (right === null) throw notFound('collection');
  return { ...collection, right, parentId: shownParentOf(access, collection) };
}

export function visible(access: Access, collection: Collection): VisibleCollection {
  return seenBy(access, { ...collection, isRestricted: collection.access !== null });
}

/** Returns the parent of a collection; null at the root, and if the caller has no right in the parent. */
export function shownParentOf(access: Access, { parentId }: CollectionPlace): string | null {
  return parentId !== null && access.rightIn(parentId) === null ? null : parentId;
}

/** Returns the next version of a collection. `updatedAt` never decreases, although the clocks of replicas differ. */
export function changed(before: Collection, fields: Partial<Collection>, now: Date): Collection {
  const updatedAt = now < before.updatedAt ? before.updatedAt : now;
  return { ...before, ...fields, version: before.version + 1, updatedAt };
}

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
    `This account has ${MAX_COLLECTIONS.toLocaleString('en')} collections, which is the maximum. Delete a collection you no longer need.`,
  );
}

/** Returns the error for deleting a collection that contains something. It says nothing about what that is. */
export function collectionNotEmpty(): AppError {
  return new AppError(
    'conflict',
    'This collection is not empty. Move or delete the documents and collections in it first.',
  );
}

/** Returns the problem with a person in an access, by index. */
export function notMember(index: number): FieldProblem {
  return {
    field: `access.people[${String(index)}].userId`,
    issue: 'is not a member of this account',
  };
}

export function repeatedPerson(index: number, first: number): FieldProblem {
  return {
    field: `access.people[${String(index)}].userId`,
    issue: `repeats access.people[${String(first)}].userId`,
  };
}

export function noLongerManaged(): AppError {
  return new AppError(
    'conflict',
    'You would no longer manage this collection. Send an access that makes you a manager, or ask an owner or admin of the account.',
    { field: 'access', issue: 'removes your right to manage the collection' },
  );
}
