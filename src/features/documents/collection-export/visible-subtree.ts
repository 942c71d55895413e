import type { Access } from '../../auth/access/access.js';
import type { Collection } from '../../collections/collection.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';

/**
 * Returns a collection and those that the reader sees below it, each after the one that contains it. `tree` has all
 * collections of the account. Throws `not_found` for an unknown collection, or without a right in it.
 */
export function visibleSubtree(
  tree: readonly Collection[],
  id: string,
  access: Access,
): Collection[] {
  const visible = tree.filter((collection) => access.rightIn(collection.id) !== null);
  const found = visible.filter((collection) => collection.id === id);
  if (found.length === 0) throw notFound('collection');
  // Also walks those that it adds.
  for (const { id: above } of found)
    found.push(...visible.filter(({ parentId }) => parentId === above));
  return found;
}
