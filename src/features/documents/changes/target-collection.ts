import type { Access } from '../../auth/access/access.js';
import { ROOT } from '../../auth/access/rights.js';
import { noSuchCollection } from '../../collections/collection.js';
import { invalidFields, type AppError } from '../../../platform/basics/errors/app-error.js';

/**
 * Checks that the caller can put documents into a collection (a UUID). Throws `bad_request` for a collection in which the
 * caller has no right, as for an unknown one, and `forbidden` for a collection that the caller can only view.
 */
export function requireTarget(access: Access, collectionId: string): void {
  if (access.rightIn(collectionId) === null)
    throw collectionId === ROOT ? collectionNeeded() : noSuchCollection('collectionId');
  access.requireRight('editor', collectionId);
}

/** Returns the error for a document at the root. Only keys with `collections` have no right there. */
export function collectionNeeded(): AppError {
  return invalidFields([
    {
      field: 'collectionId',
      issue: 'is required, because this API key is limited to some collections; name one of them',
    },
  ]);
}
