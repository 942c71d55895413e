import { alreadyEnded } from './jobs.service.js';
import { scopeMissing } from '../access/auth/scope.guard.js';
import { resultGone, notDone } from './job-results.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

/** Each kind of job needs a scope of its own besides. */
const SCOPE_OF_KIND = scopeMissing('*', ['documents:read']);

export const JOBS = {
  read: [['Scope of the kind', SCOPE_OF_KIND]],
  readResult: [
    ['Scope of the kind', SCOPE_OF_KIND],
    ['Not done', notDone('running')],
    ['Expired', resultGone()],
  ],
  cancel: [
    ['Scope of the kind', SCOPE_OF_KIND],
    ['Ended', alreadyEnded('succeeded')],
  ],
} satisfies RouteRefusals;
