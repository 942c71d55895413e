import { Module } from '@nestjs/common';
import { EventRetention } from './events/event-retention.js';
import { DeliveryModule } from './webhooks/delivery/delivery.module.js';

/** The background: what the worker role does. */
@Module({ imports: [DeliveryModule], providers: [EventRetention] })
export class WorkerModule {}
