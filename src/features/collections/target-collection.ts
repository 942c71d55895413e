import type { Access } from '../auth/access/access.js';
import { ROOT } from '../auth/access/rights.js';
import { invalidFields, type AppError } from '../../platform/basics/errors/app-error.js';
import { noSuchCollection } from './collection.js';

/** The field of a body that names the collection. */
type PlaceField = 'collectionId' | 'parentId';

/**
 * Checks that the caller can put documents or collections into a collection (a UUID). Throws `bad_request` for a
 * collection in which the caller has no right, as for an unknown one, and `forbidden` for a collection that the caller can
 * only view.
 */
export function requireTarget(
  access: Access,
  collectionId: string,
  field: PlaceField = 'collectionId',
): void {
  if (access.rightIn(collectionId) === null)
    throw collectionId === ROOT ? collectionNeeded(field) : noSuchCollection(field);
  access.requireRight('editor', collectionId);
}

/** Returns the error for something at the root. Only keys with `collections` have no right there. */
export function collectionNeeded(field: PlaceField = 'collectionId'): AppError {
  return invalidFields([
    {
      field,
      issue: 'is required, because this API key is limited to some collections; name one of them',
    },
  ]);
}
