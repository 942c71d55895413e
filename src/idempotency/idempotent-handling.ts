import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../clock/clock.js';
import { Database, type Executor } from '../database/database.js';
import { VersionStore } from '../documents/versions/version-store.js';
import type { Answer } from '../envelope/answer.js';
import { Handling } from '../envelope/handling.js';
import { invalidFields, notFound, type AppError } from '../errors/app-error.js';
import { OutcomeStore, type KeyedRequest } from './outcome-store.js';
import { answerAgain, outcomeOfAnswer, outcomeOfFailure, type Omission } from './outcome.js';

const HEADER = 'idempotency-key';
const MAX_KEY_LENGTH = 255;

/** How a request ended now: its answer, or what it failed with. */
type Ending = { answer: Answer } | { failure: AppError };

/**
 * Makes a POST with an `Idempotency-Key` happen once. The handler runs in one transaction with the record of its
 * outcome, so that there is never one without the other; a retry gets the outcome again.
 */
@Injectable()
export class IdempotentHandling extends Handling {
  constructor(
    private readonly database: Database,
    private readonly outcomes: OutcomeStore,
    private readonly versions: VersionStore,
    private readonly clock: Clock,
  ) {
    super();
  }

  isWanted({ method, headers, principal }: Request): boolean {
    return method === 'POST' && headers[HEADER] !== undefined && principal !== undefined;
  }

  async run(request: Request, response: Response, handle: () => Promise<Answer>): Promise<Answer> {
    const keyed = keyedRequest(request);
    const once = async (executor: Executor): Promise<Ending> => {
      const earlier = await this.outcomes.claim(executor, keyed, this.clock.now());
      if (earlier) {
        response.setHeader('Idempotency-Replayed', 'true');
        const textOf = (omission: Omission) => this.textOf(omission, keyed.accountId, executor);
        return { answer: await answerAgain(earlier, textOf) };
      }
      request.executor = executor;
      return this.handled(keyed, executor, handle);
    };
    const ending = await this.database.transaction(once, response);
    if ('failure' in ending) throw ending.failure;
    return ending.answer;
  }

  /** Answers and keeps the outcome; a failure's too, but nothing of what the handler wrote before it. */
  private async handled(
    keyed: KeyedRequest,
    executor: Executor,
    handle: () => Promise<Answer>,
  ): Promise<Ending> {
    try {
      const answer = await this.database.within({ executor }, handle);
      await this.outcomes.keep(executor, keyed, outcomeOfAnswer(answer), this.clock.now());
      return { answer };
    } catch (error) {
      const outcome = outcomeOfFailure(error);
      if (!outcome) throw error;
      await this.outcomes.keep(executor, keyed, outcome, this.clock.now());
      return { failure: error as AppError };
    }
  }

  private async textOf(
    { documentId, version }: Omission,
    accountId: string,
    executor: Executor,
  ): Promise<string> {
    const found = await this.versions.find({ accountId, documentId }, version, executor);
    // What was removed for good is in no answer any more.
    if (!found) throw notFound('document');
    return found.content;
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
