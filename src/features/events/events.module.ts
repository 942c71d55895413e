import { Module } from '@nestjs/common';
import { AuthModule } from '../access/auth/auth.module.js';
import { DrainModule } from '../../platform/http/drain.module.js';
import { EventOrder } from './event-order.js';
import { FollowedEvents } from './followed-events.js';
import { EventsService } from './events.service.js';
import { EventsController, EventTypesController } from './events.controller.js';
import { EventStreams, StreamTimes } from './stream/event-streams.js';
import { StreamReader } from './stream/stream-reader.js';

@Module({
  imports: [AuthModule, DrainModule],
  controllers: [EventsController, EventTypesController],
  providers: [EventOrder, EventsService, EventStreams, FollowedEvents, StreamReader, StreamTimes],
  exports: [StreamTimes],
})
export class EventsModule {}
