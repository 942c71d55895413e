import { insufficientRight } from '../../auth/access/access.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { preconditionFailed } from '../../../platform/http/envelope/preconditions.js';
import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';
import { illegalTransition } from '../changes/apply-patch.js';
import { notPublished, publishingOff } from './publishing-errors.js';

const VIEWER_ONLY = insufficientRight('editor', 'viewer');
const CHANGED = preconditionFailed({ version: 4, etag: '"4"' });

export const PUBLISHING = {
  publish: [
    ['Publishing is off', publishingOff()],
    ['Unknown version', notFound('version')],
    ['Illegal transition', illegalTransition('archived', 'published')],
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
  ],
  change: [
    ['Publishing is off', publishingOff()],
    ['Not published', notPublished()],
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', CHANGED],
  ],
} satisfies RouteRefusals;
