import { tooManyStreams } from './stream/event-streams.js';
import { startAt, encodeCursor } from './stream/event-place.js';
import { unknownEvent } from './stream/event-order.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

/** For the API document. */
const SAMPLE_CURSOR = encodeCursor(startAt('0'), {});

export const EVENTS = {
  list: [['Position expired', unknownEvent('after', SAMPLE_CURSOR)]],
  stream: [
    ['Position expired', unknownEvent('Last-Event-ID', SAMPLE_CURSOR)],
    ['Too many streams', tooManyStreams('person')],
  ],
} satisfies RouteRefusals;
