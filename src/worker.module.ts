import { Module } from '@nestjs/common';
import { EventRetention } from './events/event-retention.js';

/** The background: what the worker role does. */
@Module({ providers: [EventRetention] })
export class WorkerModule {}
