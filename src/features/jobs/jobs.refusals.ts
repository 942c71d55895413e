import { alreadyEnded } from './jobs.service.js';
import { scopeMissing } from '../auth/guards/scope.guard.js';
import { resultExpired, notFinished } from './queue/job-results.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

/** Each kind of job also needs its own scope. */
const SCOPE_OF_KIND = scopeMissing('*', ['documents:read']);

export const JOBS = {
  read: [['Scope missing', SCOPE_OF_KIND]],
  readResult: [
    ['Scope missing', SCOPE_OF_KIND],
    ['Not finished', notFinished('running')],
    ['Expired', resultExpired()],
  ],
  cancel: [
    ['Scope missing', SCOPE_OF_KIND],
    ['Already ended', alreadyEnded('succeeded')],
  ],
} satisfies RouteRefusals;
