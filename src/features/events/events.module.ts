import { Module } from '@nestjs/common';
import { DrainModule } from '../../platform/http/server/drain.js';
import { AuthModule } from '../auth/auth.module.js';
import { EventOrder } from './stream/event-order.js';
import { EventsService } from './events.service.js';
import { EventsController, EventTypesController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { EventStreams, StreamTimes } from './stream/event-streams.js';
import { OrderedEventsRepository } from './stream/ordered-events.repository.js';
import { StreamPresence } from './stream/stream-presence.js';

@Module({
  imports: [AuthModule, DrainModule],
  controllers: [EventsController, EventTypesController],
  providers: [
    EventOrder,
    EventsRepository,
    EventsService,
    EventStreams,
    OrderedEventsRepository,
    StreamPresence,
    StreamTimes,
  ],
  exports: [StreamPresence, StreamTimes],
})
export class EventsModule {}
