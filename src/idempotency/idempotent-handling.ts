import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import type { Answer } from '../envelope/answer.js';
import { Handling } from '../envelope/handling.js';
import { invalidFields } from '../errors/app-error.js';
import { OutcomeStore, type KeyedRequest } from './outcome-store.js';
import { describeAnswer, describeFailure, replay } from './outcome.js';

const HEADER = 'idempotency-key';
const MAX_KEY_LENGTH = 255;

/**
 * Makes a POST with an `Idempotency-Key` happen once. The handler runs in one transaction with the record of its
 * outcome, so that there is never one without the other; a retry gets the outcome again.
 */
@Injectable()
export class IdempotentHandling extends Handling {
  constructor(
    private readonly database: Database,
    private readonly outcomes: OutcomeStore,
    private readonly clock: Clock,
  ) {
    super();
  }

  isWanted({ method, headers, principal }: Request): boolean {
    return method === 'POST' && headers[HEADER] !== undefined && principal !== undefined;
  }

  async run(request: Request, response: Response, handle: () => Promise<Answer>): Promise<Answer> {
    const keyed = keyedRequest(request);
    const progress = { handled: false };
    try {
      return await this.database.transaction(async (executor) => {
        const earlier = await this.outcomes.claim(executor, keyed, this.clock.now());
        if (earlier !== undefined) {
          response.setHeader('Idempotency-Replayed', 'true');
          return replay(earlier);
        }
        progress.handled = true;
        request.executor = executor;
        const answer = await handle();
        await this.outcomes.keep(executor, keyed, describeAnswer(answer), this.clock.now());
        return answer;
      });
    } catch (error) {
      if (progress.handled) await this.keepFailure(keyed, error);
      throw error;
    }
  }

  /** What the handler wrote is rolled back; that it failed is kept by itself. */
  private async keepFailure(keyed: KeyedRequest, error: unknown): Promise<void> {
    const failure = describeFailure(error);
    if (failure === undefined) return;
    const kept = this.database.transaction(async (executor) => {
      const earlier = await this.outcomes.claim(executor, keyed, this.clock.now());
      if (earlier === undefined) {
        await this.outcomes.keep(executor, keyed, failure, this.clock.now());
      }
    });
    // Whether or not it could be kept, the client is told its failure: a retry would fail the same way.
    await kept.catch(() => undefined);
  }
}

function keyedRequest(request: Request): KeyedRequest {
  const key = request.headers[HEADER];
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    throw invalidFields([
      {
        field: 'Idempotency-Key',
        issue: `must have 1 to ${String(MAX_KEY_LENGTH)} characters, such as a fresh UUID`,
      },
    ]);
  }
  return {
    accountId: request.principal?.accountId ?? '',
    route: `${request.method} ${request.originalUrl}`,
    key,
    bodyHash:
      request.bodyHash ??
      createHash('sha256')
        .update(request.bodyBytes ?? '')
        .digest(),
  };
}
