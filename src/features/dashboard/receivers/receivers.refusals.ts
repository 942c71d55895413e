import { receiversAreOff, enoughReceivers } from './test-receivers.service.js';
import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';

export const RECEIVERS = {
  create: [
    ['No receivers here', receiversAreOff()],
    ['Too many receivers', enoughReceivers()],
  ],
  list: [['No receivers here', receiversAreOff()]],
} satisfies RouteRefusals;
