import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../database/coalescer.js';
import { Database, type Statement } from '../../database/database.js';
import { asUnavailable } from '../../errors/database-error.js';
import { AppError } from '../../errors/app-error.js';
import type { DeliveryStatus } from '../entities/webhook-delivery.entity.js';
import { Slots } from './slots.js';

/** What came of an attempt: the delivery's next state, and the record of what was sent and answered. */
export interface Settlement {
  deliveryId: string;
  generation: number;
  /** Of the attempt, counted from 1. */
  number: number;
  status: DeliveryStatus;
  /** Until the next attempt; only while the delivery stays pending. */
  delayMs: number | null;
  startedAt: Date;
  durationMs: number;
  requestHeaders: object;
  responseStatus: number | null;
  responseHeaders: object | null;
  responseExcerpt: string | null;
  errorClass: string | null;
  errorMessage: string | null;
}

const SETTLE: Statement = {
  name: 'delivery.settle',
  text: 'SELECT settle_webhook_deliveries($1::json) AS id',
};

const RETRY_AFTER_MS = 250;
/** Even after the lease: its number says whether the delivery is still this process' own. */
const SHORTEST_PATIENCE_MS = 2_000;
/** What ends waits so long for others, unless half of what is under way has ended. */
const GATHER_MS = 10;

/** Writes the ends of attempts, those of one moment in one statement. */
@Injectable()
export class Settlements {
  private readonly coalescer: Coalescer<Settlement, boolean>;

  constructor(database: Database, slots: Slots) {
    this.coalescer = new Coalescer(
      async (settlements) => {
        const rows = await database.run<{ id: string }>(SETTLE, [JSON.stringify(settlements)]);
        const settled = new Set(rows.map(({ id }) => id));
        return settlements.map(({ deliveryId }) => ({ result: settled.has(deliveryId) }));
      },
      {
        maxBatch: 100,
        // What ends meanwhile gathers: larger statements cost less for each.
        maxInFlight: 1,
        gather: { forMs: GATHER_MS, isEnough: (ended) => ended * 2 >= slots.underWay },
        weigh: ({ responseExcerpt }) => responseExcerpt?.length ?? 0,
        isolateFailures: true,
      },
    );
  }

  /**
   * Whether the delivery was still this process' own; otherwise nothing is written. While the database is away it tries
   * again for `withinMs`, the rest of the lease, and at least for a moment; it rejects after that.
   */
  async settle(settlement: Settlement, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + Math.max(withinMs, SHORTEST_PATIENCE_MS);
    for (;;) {
      try {
        return await this.coalescer.submit(settlement);
      } catch (error) {
        const away = error instanceof AppError || asUnavailable(error) !== undefined;
        if (!away || performance.now() + RETRY_AFTER_MS > deadline) throw error;
        await wait(RETRY_AFTER_MS);
      }
    }
  }
}
