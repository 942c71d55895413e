import { insufficientRight } from '../../auth/access/access.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { preconditionFailed } from '../../../platform/http/envelope/preconditions.js';
import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';
import { illegalTransition } from '../changes/apply-patch.js';
import { sampleId } from '../../../platform/openapi/schemas.js';
import {
  notPublished,
  overrideForbidden,
  publicationRefused,
  publishingOff,
} from './publishing-errors.js';

const VIEWER_ONLY = insufficientRight('editor', 'viewer');
const REFUSED = publicationRefused([
  {
    check: 'errors',
    issue: 'The analysis found 3 errors, and 0 are allowed. Correct or dismiss them.',
    analysisId: sampleId('analysis'),
  },
]);
const CHANGED = preconditionFailed({ version: 4, etag: '"4"' });

export const PUBLISHING = {
  publish: [
    ['Publishing is off', publishingOff()],
    ['Unknown version', notFound('version')],
    ['Illegal transition', illegalTransition('archived', 'published')],
    ['Refused by a rule', REFUSED],
    ['Override not allowed', overrideForbidden('admin')],
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
  ],
  check: [
    ['Publishing is off', publishingOff()],
    ['Unknown version', notFound('version')],
    ['Illegal transition', illegalTransition('archived', 'published')],
  ],
  change: [
    ['Publishing is off', publishingOff()],
    ['Not published', notPublished()],
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
  ],
} satisfies RouteRefusals;
