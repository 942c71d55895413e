import { invalidFields } from '../../platform/basics/errors/app-error.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

export const USAGE = {
  readSeries: [
    [
      'Too long ago',
      invalidFields([
        {
          field: 'from',
          issue:
            'is older than 48 hours, the retention of this step; use a later time, or step=hour',
        },
      ]),
    ],
  ],
} satisfies RouteRefusals;
