import { createHash } from 'node:crypto';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Clock } from '../clock/clock.js';
import { Database, type Executor } from '../database/database.js';
import { VersionStore } from '../documents/versions/version-store.js';
import type { Answer } from '../envelope/answer.js';
import { Handling } from '../envelope/handling.js';
import { SHOWN_ONCE, type ShownOnceRule } from '../envelope/shown-once.js';
import { invalidFields, notFound, type AppError } from '../errors/app-error.js';
import { OutcomeStore, type KeyedRequest } from './outcome-store.js';
import {
  answerAgain,
  outcomeOfAnswer,
  outcomeOfFailure,
  withoutSecret,
  type Omission,
} from './outcome.js';

const HEADER = 'idempotency-key';
const MAX_KEY_LENGTH = 255;

/** How a request ended now: its answer, or what it failed with. */
type Ending = { answer: Answer } | { failure: AppError };

/**
 * Makes a POST with an `Idempotency-Key` happen once for the API key that asks. The handler runs in one transaction with
 * the record of its outcome, so that there is never one without the other; a retry gets the outcome again, without what
 * is shown once.
 */
@Injectable()
export class IdempotentHandling extends Handling {
  constructor(
    private readonly database: Database,
    private readonly outcomes: OutcomeStore,
    private readonly versions: VersionStore,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
  ) {
    super();
  }

  isWanted({ method, headers, principal }: Request): boolean {
    return method === 'POST' && headers[HEADER] !== undefined && principal !== undefined;
  }

  async run(context: ExecutionContext, handle: () => Promise<Answer>): Promise<Answer> {
    const request = context.switchToHttp().getRequest<Request>();
    const keyed = keyedRequest(request);
    const response = context.switchToHttp().getResponse<Response>();
    const rule = this.reflector.get<ShownOnceRule | undefined>(SHOWN_ONCE, context.getHandler());
    const once = async (executor: Executor): Promise<Ending> => {
      const earlier = await this.outcomes.claim(executor, keyed, this.clock.now());
      if (earlier) {
        if ('json' in earlier) rule?.check?.(JSON.parse(earlier.json), request);
        response.setHeader('Idempotency-Replayed', 'true');
        const textOf = (omission: Omission) => this.textOf(omission, keyed.accountId);
        return { answer: await answerAgain(earlier, textOf) };
      }
      request.executor = executor;
      return this.handled(keyed, executor, handle, rule);
    };
    const ending = await this.database.transaction(once, response, keyed.accountId);
    if ('failure' in ending) throw ending.failure;
    return ending.answer;
  }

  /** Answers and keeps the outcome; a failure's too, but nothing of what the handler wrote before it. */
  private async handled(
    keyed: KeyedRequest,
    executor: Executor,
    handle: () => Promise<Answer>,
    rule: ShownOnceRule | undefined,
  ): Promise<Ending> {
    try {
      const answer = await this.database.within({ executor }, handle);
      const kept = outcomeOfAnswer(rule ? withoutSecret(answer, rule) : answer);
      await this.outcomes.keep(executor, keyed, kept, this.clock.now());
      return { answer };
    } catch (error) {
      const outcome = outcomeOfFailure(error);
      if (!outcome) throw error;
      await this.outcomes.keep(executor, keyed, outcome, this.clock.now());
      return { failure: error as AppError };
    }
  }

  private async textOf({ documentId, version }: Omission, accountId: string): Promise<string> {
    const found = await this.versions.find({ accountId, documentId }, version);
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
    principalId: request.principal?.keyId ?? '',
    route: `${request.method} ${request.originalUrl}`,
    key,
    bodyHash:
      request.bodyHash ??
      createHash('sha256')
        .update(request.bodyBytes ?? '')
        .digest(),
  };
}
