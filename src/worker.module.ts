import { Module } from '@nestjs/common';
import { HourlyPurges } from './background/hourly-purges.js';
import { PURGES, type Purge } from './background/purge.js';
import { IndexUpkeep } from './documents/search/index-upkeep.js';
import { SearchIndex } from './documents/search/search-index.js';
import { TrashRetention } from './documents/trash-retention.js';
import { EventRetention } from './events/event-retention.js';
import { OutcomeRetention } from './idempotency/outcome-retention.js';
import { DeliveryModule } from './webhooks/delivery/delivery.module.js';

const ALL_PURGES = [EventRetention, OutcomeRetention, TrashRetention];

/** The background: what the worker role does. */
@Module({
  imports: [DeliveryModule],
  providers: [
    ...ALL_PURGES,
    { provide: PURGES, inject: ALL_PURGES, useFactory: (...purges: Purge[]) => purges },
    HourlyPurges,
    SearchIndex,
    IndexUpkeep,
  ],
})
export class WorkerModule {}
