import { insufficientRight } from '../auth/access/access.js';
import { scopeMissing } from '../auth/guards/scope.guard.js';
import { preconditionFailed } from '../../platform/http/envelope/preconditions.js';
import { statusOfNew } from './changes/documents-by-external-id.service.js';
import { quotaExceeded } from '../usage/quotas/quota-refusal.js';
import { invalidFields, AppError } from '../../platform/basics/errors/app-error.js';
import { NO_SUCH_TEMPLATE } from '../templates/variables/template-filling.service.js';
import { bothChanged, newerThanCurrent } from './changes/change-merging.service.js';
import { editRefused, illegalTransition } from './changes/apply-patch.js';
import { sampleId } from '../../platform/openapi/schemas.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { externalIdTaken } from './changes/external-ids.repository.js';
import { noSuchCollection } from '../collections/collection.js';
import { collectionWasDeleted } from './changes/document-changes.repository.js';
import { collectionNeeded } from '../collections/target-collection.js';
import { notPublished, publishingOff } from './publishing/publishing-errors.js';
import { notDeleted } from './changes/document-trash.service.js';
import { conversionsBusy, tooDemanding, unreadableFile } from './files/conversion-errors.js';
import { DEFAULT_IMPORT_LIMIT } from '../../platform/config/environment.js';
import { tooLarge } from '../../platform/http/bodies/multipart-reader.js';
import { formatUnknown } from './files/import-body-reader.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';
import { tooLargeForBrowsers } from './files/document-exports.service.js';

const CHANGED = preconditionFailed({ version: 4, etag: '"4"' });

const EXAMPLE_OF_FULL = {
  quota: 'documents',
  limit: 1_000,
  used: 1_000,
  plan: 'free',
  requested: 1,
} as const;

const NOT_FOUND_IN_TEXT = editRefused(0, 'not_found', {
  field: 'edits[0].find',
  issue: 'does not occur in the content',
});

const NO_ROOM = quotaExceeded({
  quota: 'storageBytes',
  limit: 104_857_600,
  used: 104_857_000,
  plan: 'free',
  requested: 4_000,
});

const BOTH_CHANGED = bothChanged(5, [
  { field: 'content', yours: 'grew by 13 %', theirs: 'grew by 14 %' },
]);

const NO_COLLECTION = noSuchCollection('collectionId');
const VIEWER_ONLY = insufficientRight('editor', 'viewer');

const EXTERNAL_ID_TAKEN = externalIdTaken('crm/4711', uuidOf('document', sampleId('document')));

export const BY_EXTERNAL_ID = {
  put: [
    ['Unknown collection', NO_COLLECTION],
    ['Collection needed', collectionNeeded()],
    ['External id of a hidden document', externalIdTaken('crm/4711', undefined)],
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
    ['Not a draft', statusOfNew()],
    ['Both changed the same passage', BOTH_CHANGED],
    ['Base version too new', newerThanCurrent(4)],
  ],
  delete: [
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
    ['Scope missing', scopeMissing('documents:delete', ['documents:write'])],
  ],
} satisfies RouteRefusals;

export const DOCUMENTS = {
  list: [['Publishing is off', publishingOff()]],
  create: [
    ['Unknown collection', NO_COLLECTION],
    ['Collection needed', collectionNeeded()],
    ['Right too little', VIEWER_ONLY],
    ['Quota exceeded', quotaExceeded(EXAMPLE_OF_FULL)],
    ['Field missing', invalidFields([{ field: 'title', issue: 'required field missing' }])],
    [
      'Several problems',
      invalidFields([
        { field: 'metadata.tags[1]', issue: 'must be a string' },
        { field: 'contents', issue: "is not a known field; did you mean 'content'?" },
      ]),
    ],
    ['Unknown template', invalidFields([NO_SUCH_TEMPLATE])],
    [
      'Template variables',
      invalidFields([
        {
          field: 'templateVariables.cleint',
          issue: "is not a variable of the template; did you mean 'client'?",
        },
        { field: 'templateVariables.client', issue: 'required variable missing' },
      ]),
    ],
  ],
  copy: [
    ['Unknown collection', NO_COLLECTION],
    ['Right too little', VIEWER_ONLY],
    ['Quota exceeded', quotaExceeded(EXAMPLE_OF_FULL)],
    ['Scope missing', scopeMissing('documents:read', ['documents:write'])],
  ],
  patch: [
    ['Unknown collection', NO_COLLECTION],
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
    ['Storage quota exceeded', NO_ROOM],
    ['Illegal transition', illegalTransition('archived', 'published')],
    ['Both changed the same passage', BOTH_CHANGED],
    ['Base version too new', newerThanCurrent(4)],
  ],
  replace: [
    ['Unknown collection', NO_COLLECTION],
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
    ['Storage quota exceeded', NO_ROOM],
    ['Illegal transition', illegalTransition('archived', 'published')],
    ['Both changed the same passage', BOTH_CHANGED],
    ['Base version too new', newerThanCurrent(4)],
  ],
  edit: [
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
    ['Storage quota exceeded', NO_ROOM],
    ['Text not found', NOT_FOUND_IN_TEXT],
  ],
  delete: [
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
    ['Scope missing', scopeMissing('documents:delete', ['documents:write'])],
  ],
  restore: [
    ['Not deleted', notDeleted()],
    ['Collection deleted', collectionWasDeleted()],
    ['Unknown collection', NO_COLLECTION],
    ['Right too little', VIEWER_ONLY],
    ['External id taken', EXTERNAL_ID_TAKEN],
    ['Changed in the meantime', CHANGED],
  ],
} satisfies RouteRefusals;

export const PRESENCE = {
  hold: [['Scope missing', scopeMissing('documents:write', ['documents:read'])]],
} satisfies RouteRefusals;

export const FILES = {
  import: [
    ['Unknown collection', NO_COLLECTION],
    ['Collection needed', collectionNeeded()],
    ['Right too little', VIEWER_ONLY],
    ['Field missing', invalidFields([{ field: 'file', issue: 'required field missing' }])],
    ['Unknown format', formatUnknown()],
    ['Unreadable file', unreadableFile('is not valid UTF-8; save it as UTF-8')],
    ['File too large', tooLarge(DEFAULT_IMPORT_LIMIT)],
    [
      'Not a form',
      new AppError('unsupported_media_type', 'Send the file as multipart/form-data.', {
        field: 'Content-Type',
        issue: 'is not multipart/form-data with a boundary',
      }),
    ],
    ['Conversion takes too long', tooDemanding('takes too long to convert')],
    ['Conversions busy', conversionsBusy()],
  ],
  export: [
    ['Field missing', invalidFields([{ field: 'format', issue: 'required field missing' }])],
    ['Conversion takes too long', tooDemanding('takes too long to convert')],
    ['Conversions busy', conversionsBusy()],
    ['Large document with a browser token', tooLargeForBrowsers()],
  ],
} satisfies RouteRefusals;

export const VERSIONS = {
  diff: [['Not published', notPublished()]],
  restore: [
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
  ],
} satisfies RouteRefusals;
