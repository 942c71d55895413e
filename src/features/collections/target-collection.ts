import type { Access } from '../auth/access/access.js';
import { ROOT } from '../auth/access/rights.js';
import { AppError, invalidFields } from '../../platform/basics/errors/app-error.js';
import { noSuchCollection } from './collection.js';

/** The field of a body that names the collection. */
type PlaceField = 'collectionId' | 'parentId';

/**
 * Checks that the caller can put documents or collections into a collection (a UUID). Throws `bad_request` for a
 * collection in which the caller has no right, as for an unknown one, and `forbidden` for a collection that the caller can
 * only view, and for every collection if the caller is limited to some documents.
 */
export function requireTarget(
  access: Access,
  collectionId: string,
  field: PlaceField = 'collectionId',
): void {
  if (access.only !== null) throw placeIsFixed(field);
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

/**
 * Returns the error for a browser token that moves one of its documents. A page would otherwise decide who can read the
 * document.
 */
export function placeIsFixed(field: PlaceField = 'collectionId'): AppError {
  return new AppError(
    'forbidden',
    'A browser token for some documents cannot move them. Send this request from your server, with an API key.',
    { field, issue: 'cannot be changed with a browser token for some documents' },
  );
}
