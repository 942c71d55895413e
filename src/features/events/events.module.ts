import { Module } from '@nestjs/common';
import { AuthModule } from '../access/auth/auth.module.js';
import { DrainModule } from '../../platform/http/drain.module.js';
import { EventOrder } from './stream/event-order.js';
import { FollowedEvents } from './stream/followed-events.js';
import { EventsService } from './events.service.js';
import { EventTypesController } from './catalogue/event-types.controller.js';
import { EventsController } from './events.controller.js';
import { EventStreams, StreamTimes } from './stream/event-streams.js';
import { StreamReader } from './stream/ordered-events.repository.js';

@Module({
  imports: [AuthModule, DrainModule],
  controllers: [EventsController, EventTypesController],
  providers: [EventOrder, EventsService, EventStreams, FollowedEvents, StreamReader, StreamTimes],
  exports: [StreamTimes],
})
export class EventsModule {}
