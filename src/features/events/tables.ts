import { EventHorizonEntity } from './entities/event-horizon.entity.js';
import { EventEntity } from './entities/event.entity.js';
import { RemovedSubjectEntity } from './entities/removed-subject.entity.js';

export const EVENTS_TABLES = [EventEntity, EventHorizonEntity, RemovedSubjectEntity];
