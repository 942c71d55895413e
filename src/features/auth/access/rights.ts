import type { Role } from '../roles.js';

/** The place of documents that are in no collection. */
export const ROOT = '00000000-0000-0000-0000-000000000000';

/** What a person may do in a collection. Each right includes those before it. */
export const RIGHTS = ['viewer', 'editor', 'manager'] as const;
export type Right = (typeof RIGHTS)[number];

/** Who can use a collection and all below it that has no access of its own. User IDs are UUIDs. */
export interface StoredAccess {
  /** The right of every member of the account. Null for none. */
  everyone: Right | null;
  people: readonly { userId: string; right: Right }[];
}

/** A collection in the tree of its account. Deleted ones are part of it while documents in the trash refer to them. */
export interface TreeCollection {
  id: string;
  /** Null at the root. */
  parentId: string | null;
  /** Null if the parent decides. */
  access: StoredAccess | null;
  /** The UUID of who made it. Null once that person has left the account. */
  createdBy: string | null;
}

/** Who wants to use the collections of an account. */
export interface Visitor {
  userId: string;
  role: Role;
  /** The collections that the key is limited to, with all below them. Null: no limit. Empty: nothing. */
  collections: readonly string[] | null;
  /** The same for the browser token of the key, if the request sent one. Both limits apply. */
  tokenCollections?: readonly string[] | null;
}

/** What a visitor may do in each collection of an account. */
export interface CollectionRights {
  /**
   * Returns the right in a collection or at the {@link ROOT}; null for none. Returns undefined for a collection that the
   * tree lacks: load the tree again, and never allow.
   */
  of(collectionId: string): Right | null | undefined;
  /** Where the visitor has a right, and where not. Both may contain the {@link ROOT}. */
  visible: readonly string[];
  hidden: readonly string[];
}

/** True if `right` includes `required`. */
export function includesRight(right: Right | null | undefined, required: Right): boolean {
  return right != null && RIGHTS.indexOf(right) >= RIGHTS.indexOf(required);
}

/**
 * Returns what a visitor may do in each collection. The nearest collection with its own access decides alone. Without one,
 * every member is an editor, as at the root. Owners and admins manage everything, and who made a collection with its own
 * access manages it. The collections of a key, and those of its token, hide all others.
 */
export function rightsIn(tree: readonly TreeCollection[], visitor: Visitor): CollectionRights {
  const collections = new Map(tree.map((collection) => [collection.id, collection]));
  const managesAll = visitor.role === 'owner' || visitor.role === 'admin';
  const limits = [visitor.collections, visitor.tokenCollections]
    .filter((limit) => limit != null)
    .map((limit) => new Set(limit));
  const root: Place = {
    right: managesAll ? 'manager' : 'editor',
    isWithin: limits.map(() => false),
  };
  /** Below a parent that the tree lacks. */
  const nowhere: Place = { ...root, right: null };
  const places = new Map<string, Place>([[ROOT, root]]);
  const placeOf = ({ id, parentId, access, createdBy }: TreeCollection): Place => {
    const known = places.get(id);
    if (known) return known;
    const parent = parentId === null ? undefined : collections.get(parentId);
    const above = parentId === null ? root : parent ? placeOf(parent) : nowhere;
    const own = access && createdBy !== visitor.userId ? rightFrom(access, visitor) : 'manager';
    const place: Place = {
      right: managesAll ? 'manager' : access ? own : above.right,
      isWithin: limits.map((limit, index) => above.isWithin[index] === true || limit.has(id)),
    };
    places.set(id, place);
    return place;
  };
  for (const collection of tree) placeOf(collection);
  const rights = new Map<string, Right | null>();
  for (const [id, { right, isWithin }] of places)
    rights.set(id, isWithin.every(Boolean) ? right : null);
  const ids = [...rights.keys()];
  return {
    of: (id) => rights.get(id),
    visible: ids.filter((id) => rights.get(id) !== null),
    hidden: ids.filter((id) => rights.get(id) === null),
  };
}

interface Place {
  /** The right of a key without limits. */
  right: Right | null;
  /** For each limit of the key and its token, whether it includes the place. */
  isWithin: readonly boolean[];
}

/** Returns the highest right that an access gives. */
function rightFrom({ everyone, people }: StoredAccess, { userId }: Visitor): Right | null {
  const given = people.filter((entry) => entry.userId === userId).map(({ right }) => right);
  return RIGHTS.findLast((right) => right === everyone || given.includes(right)) ?? null;
}
