import { requestNotKept } from './requests.service.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

export const REQUESTS = {
  read: [
    [
      'Request not kept',
      requestNotKept(
        'pending',
        'A request is written a second or two after its answer. Ask again.',
      ),
    ],
  ],
} satisfies RouteRefusals;
