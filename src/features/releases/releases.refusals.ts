import { insufficientRight } from '../auth/access/access.js';
import { illegalTransition } from '../documents/changes/apply-patch.js';
import { publishingOff } from '../documents/publishing/publishing-errors.js';
import { invalidFields } from '../../platform/basics/errors/app-error.js';
import { preconditionFailed } from '../../platform/http/envelope/preconditions.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';
import { sampleId } from '../../platform/openapi/schemas.js';
import { endsTooEarly, timeNeeded } from './document-schedules.service.js';
import {
  changesSchedule,
  hasHiddenItems,
  invalidTime,
  noSchedule,
  noSuchDocument,
  noSuchVersion,
  releaseEnded,
  releaseRefused,
  releaseTooLarge,
  tooManyReleases,
} from './release.js';

const VIEWER_ONLY = insufficientRight('editor', 'viewer');
const CHANGED = preconditionFailed({ version: 4, etag: '"4"' });
const REFUSED = releaseRefused([
  {
    id: sampleId('document'),
    problems: [{ check: 'status', issue: illegalTransition('archived', 'published').message }],
  },
]);

const ITEMS = [
  ['Publishing is off', publishingOff()],
  ['Unknown document', invalidFields([noSuchDocument(0)])],
  ['Unknown version', noSuchVersion('items[0].version', 4)],
  ['Invalid time', invalidTime('publishAt')],
  ['Right too little', VIEWER_ONLY],
  ['Too large', releaseTooLarge()],
] as const;

const END = [
  ['Right too little', VIEWER_ONLY],
  ['Hidden documents', hasHiddenItems()],
] as const;

export const RELEASES = {
  create: [...ITEMS, ['Too many releases', tooManyReleases()]],
  patch: [
    ...ITEMS,
    ['Hidden documents', hasHiddenItems()],
    ['Ended', releaseEnded('published')],
    ['Schedule of a document', changesSchedule()],
    ['Changed in the meantime', CHANGED],
  ],
  publish: [
    ...END,
    ['A document is refused', REFUSED],
    ['Ended', releaseEnded('canceled')],
    ['Too large', releaseTooLarge()],
  ],
  cancel: [...END, ['Ended', releaseEnded('published')]],
  delete: [...END, ['Changed in the meantime', CHANGED]],
} satisfies RouteRefusals;

export const SCHEDULES = {
  put: [
    ['Publishing is off', publishingOff()],
    ['Unknown version', noSuchVersion('version', 4)],
    ['Invalid time', invalidTime('publishAt')],
    ['No time', timeNeeded()],
    ['Ends too early', endsTooEarly()],
    ['Right too little', VIEWER_ONLY],
    ['Too large', releaseTooLarge()],
    ['Too many releases', tooManyReleases()],
  ],
  delete: [
    ['No schedule', noSchedule()],
    ['Right too little', VIEWER_ONLY],
  ],
} satisfies RouteRefusals;
