import { receiversAreOff, enoughReceivers } from './test-receivers.service.js';
import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';

export const RECEIVERS = {
  create: [
    ['Test receivers are off', receiversAreOff()],
    ['Too many receivers', enoughReceivers()],
  ],
  list: [['Test receivers are off', receiversAreOff()]],
} satisfies RouteRefusals;
