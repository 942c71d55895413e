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
import { collectionNeeded } from './target-collection.js';

const CANNOT_EDIT = insufficientRight('editor', 'viewer');
const CANNOT_MANAGE = insufficientRight('manager', 'editor');
const CHANGED = preconditionFailed({ version: 4, etag: '"4"' });

export const COLLECTIONS = {
  create: [
    ['Right too little', CANNOT_EDIT],
    ['Unknown parent', noSuchCollection('parentId')],
    ['Parent required', collectionNeeded('parentId')],
    ['Too many collections', tooManyCollections()],
    ['Too deep', tooDeep()],
  ],
  patch: [
    ['Right too little', CANNOT_EDIT],
    ['Unknown parent', noSuchCollection('parentId')],
    ['Below itself', belowItself()],
    ['Too deep', tooDeep()],
    ['Changed in the meantime', CHANGED],
  ],
  access: [
    ['Right too little', CANNOT_MANAGE],
    ['Not a member', invalidFields([notMember(0)])],
    ['No manager', noLongerManaged()],
    ['Changed in the meantime', CHANGED],
  ],
  readAccess: [['Right too little', CANNOT_MANAGE]],
  delete: [
    ['Right too little', CANNOT_EDIT],
    ['Not empty', collectionNotEmpty()],
    ['Changed in the meantime', CHANGED],
  ],
} satisfies RouteRefusals;
