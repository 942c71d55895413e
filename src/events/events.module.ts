import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DrainModule } from '../http/drain.module.js';
import { EventList } from './event-list.js';
import { EventsController } from './events.controller.js';
import { EventStreams } from './stream/event-streams.js';
import { StreamReader } from './stream/stream-reader.js';
import { StreamTimes } from './stream/stream-times.js';

@Module({
  imports: [AuthModule, DrainModule],
  controllers: [EventsController],
  providers: [EventList, EventStreams, StreamReader, StreamTimes],
})
export class EventsModule {}
