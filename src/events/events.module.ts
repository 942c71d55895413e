import { Module } from '@nestjs/common';
import { EventList } from './event-list.js';
import { EventsController } from './events.controller.js';

@Module({ controllers: [EventsController], providers: [EventList] })
export class EventsModule {}
