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
            'is older than what is kept for this step, 48 hours; take a later one, or take step=hour',
        },
      ]),
    ],
  ],
} satisfies RouteRefusals;
