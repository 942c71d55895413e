import { EventEntity, EventHorizonEntity, RemovedSubjectEntity } from './entities/event.entity.js';

export const EVENTS_TABLES = [EventEntity, EventHorizonEntity, RemovedSubjectEntity];
