import { requestNotLogged } from './requests.service.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

export const REQUESTS = {
  read: [
    [
      'Request not stored',
      requestNotLogged(
        'pending',
        'Requests are stored a second or two after their response. Try again.',
      ),
    ],
  ],
} satisfies RouteRefusals;
