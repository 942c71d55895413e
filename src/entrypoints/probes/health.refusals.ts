import { AppError } from '../../platform/basics/errors/app-error.js';
import { TABLES_ARE_LOCKED } from './readiness.service.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

export const HEALTH = {
  ready: [
    [
      'Database does not respond',
      new AppError('unavailable', 'The database does not respond.', { check: 'database' }),
    ],
    [
      'Tables cannot be read',
      new AppError('unavailable', TABLES_ARE_LOCKED, { check: 'database' }),
    ],
    [
      'Shutting down',
      new AppError('unavailable', 'The service is shutting down.', { check: 'shutdown' }),
    ],
  ],
} satisfies RouteRefusals;
