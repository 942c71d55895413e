import type { DeliveryStatus } from '../entities/webhook-delivery.entity.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import type { ClaimedDelivery } from './claimed-deliveries.js';
import type { ExchangeResult } from './exchange.js';
import { excerptOf, keptHeaders } from './response-excerpt.js';
import type { Settlement } from './settlements.js';

/** An attempt that has ended. */
export interface Attempt {
  delivery: ClaimedDelivery;
  /** Counted from 1. */
  number: number;
  startedAt: Date;
  requestHeaders: Record<string, string>;
  result: ExchangeResult;
}

const STATUS_AFTER: Readonly<Record<AttemptOutcome['kind'], DeliveryStatus>> = {
  succeeded: 'succeeded',
  retry: 'pending',
  exhausted: 'failed',
  disable: 'failed',
};

/** What is written down of an attempt and its outcome. */
export function settlementOf(attempt: Attempt, outcome: AttemptOutcome): Settlement {
  const { delivery, result } = attempt;
  const answered = result.status !== undefined;
  return {
    deliveryId: delivery.deliveryId,
    generation: delivery.generation,
    number: attempt.number,
    status: STATUS_AFTER[outcome.kind],
    delayMs: outcome.kind === 'retry' ? outcome.delayMs : null,
    startedAt: attempt.startedAt,
    durationMs: result.durationMs,
    requestHeaders: attempt.requestHeaders,
    responseStatus: result.status ?? null,
    responseHeaders: answered ? keptHeaders(result.headers) : null,
    responseExcerpt: answered ? excerptOf(result.body) : null,
    errorClass: result.failure?.class ?? null,
    errorMessage: result.failure?.message ?? null,
  };
}
