import { insufficientRight } from '../auth/access/access.js';
import { invalidFields } from '../../platform/basics/errors/app-error.js';
import { preconditionFailed } from '../../platform/http/envelope/preconditions.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';
import {
  belowItself,
  collectionNotEmpty,
  noLongerManaged,
  noSuchCollection,
  notMember,
  tooDeep,
  tooManyCollections,
} from './collection.js';

const TOO_LITTLE = insufficientRight('manager', 'editor');
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
  access: [
    ['Right too little', TOO_LITTLE],
    ['Not a member', invalidFields([notMember(0)])],
    ['No manager', noLongerManaged()],
    ['Changed in the meantime', CHANGED],
  ],
  readAccess: [['Right too little', TOO_LITTLE]],
  delete: [
    ['Not empty', collectionNotEmpty()],
    ['Changed in the meantime', CHANGED],
  ],
} satisfies RouteRefusals;
