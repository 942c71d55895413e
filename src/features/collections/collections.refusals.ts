import { preconditionFailed } from '../../platform/http/envelope/preconditions.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';
import {
  belowItself,
  collectionNotEmpty,
  noSuchCollection,
  tooDeep,
  tooManyCollections,
} from './collection.js';

const CHANGED = preconditionFailed({ version: 4, etag: '"4"' });

export const COLLECTIONS = {
  create: [
    ['Unknown parent', noSuchCollection('parentId')],
    ['Too many collections', tooManyCollections()],
    ['Too deep', tooDeep()],
  ],
  patch: [
    ['Unknown parent', noSuchCollection('parentId')],
    ['Below itself', belowItself()],
    ['Too deep', tooDeep()],
    ['Changed in the meantime', CHANGED],
  ],
  delete: [
    ['Not empty', collectionNotEmpty()],
    ['Changed in the meantime', CHANGED],
  ],
} satisfies RouteRefusals;
