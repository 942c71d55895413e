import { createHash } from 'node:crypto';
import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Access } from '../auth/access/access.js';
import { accessOf } from '../auth/access/reach.decorators.js';
import { ownerIdOf, type Principal } from '../auth/principal.js';
import { Database } from '../../platform/database/database.js';
import {
  type ApiResponse,
  asApiResponse,
  ONE_TIME_SECRET,
  type OneTimeSecretRule,
} from '../../platform/http/envelope/api-response.js';
import { invalidFields, notFound, type AppError } from '../../platform/basics/errors/app-error.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import {
  recordOfResponse,
  recordOfFailure,
  replay,
  withoutSecret,
  type IdempotencyRecord,
  type Omission,
} from './idempotency-record.js';
import { IdempotencyRecordRepository, type KeyedRequest } from './idempotency-record.repository.js';

const HEADER = 'idempotency-key';
const MAX_KEY_LENGTH = 255;

/** The documents of replays. Idempotency records refer to contents by version instead of storing them. */
export abstract class StoredDocuments {
  abstract find(
    document: { accountId: string; id: string },
    version: number,
  ): Promise<{ content: string } | undefined>;

  /** True if the access includes the document with this UUID now. */
  abstract isVisible(access: Access, id: string): Promise<boolean>;
}

type Outcome = { response: ApiResponse } | { failure: AppError };

/**
 * Executes a POST with an `Idempotency-Key` at most once per principal. The handler and the record of its outcome share
 * one transaction. A retry gets the same response again, without secrets that are shown only once.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRecordRepository,
    private readonly contents: StoredDocuments,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { method, headers, principal } = context.switchToHttp().getRequest<Request>();
    if (method !== 'POST' || headers[HEADER] === undefined || !principal) return next.handle();
    return from(this.run(context, principal, next));
  }

  private async run(
    context: ExecutionContext,
    principal: Principal,
    next: CallHandler,
  ): Promise<ApiResponse> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const keyed = keyedRequest(request, principal);
    const rule = this.reflector.get<OneTimeSecretRule | undefined>(
      ONE_TIME_SECRET,
      context.getHandler(),
    );
    const outcome = await this.database.transaction(
      async (): Promise<Outcome> => {
        const earlier = await this.records.claim(keyed);
        if (!earlier) return this.handleOnce(keyed, next, rule);
        await this.requireVisible(earlier, request);
        if ('json' in earlier) rule?.check?.(JSON.parse(earlier.json), request);
        response.setHeader('Idempotency-Replayed', 'true');
        return {
          response: await replay(earlier, (omission) => this.textOf(omission, keyed.accountId)),
        };
      },
      response,
      keyed.accountId,
    );
    if ('failure' in outcome) throw outcome.failure;
    return outcome.response;
  }

  /**
   * Runs the handler and stores its outcome. If it fails, its own writes are rolled back, and the failure is stored if a
   * retry must get it too.
   */
  private async handleOnce(
    keyed: KeyedRequest,
    next: CallHandler,
    rule: OneTimeSecretRule | undefined,
  ): Promise<Outcome> {
    try {
      const response = await this.database.savepoint(async () =>
        asApiResponse(await lastValueFrom<unknown>(next.handle())),
      );
      await this.records.store(
        keyed,
        recordOfResponse(rule ? withoutSecret(response, rule) : response),
      );
      return { response };
    } catch (error) {
      const record = recordOfFailure(error);
      if (!record) throw error;
      await this.records.store(keyed, record);
      return { failure: error as AppError };
    }
  }

  /** Throws `not_found` if the caller is limited to some documents and can no longer see those of the response. */
  private async requireVisible(record: IdempotencyRecord, request: Request): Promise<void> {
    const access = accessOf(request);
    if (access.only === null) return;
    const named = decodeId('document', String(request.params['id']));
    const shown = 'json' in record ? record.omissions.map(({ documentId }) => documentId) : [];
    for (const id of new Set([...(named === undefined ? [] : [named]), ...shown])) {
      if (!(await this.contents.isVisible(access, id))) throw notFound('document');
    }
  }

  private async textOf({ documentId, version }: Omission, accountId: string): Promise<string> {
    const found = await this.contents.find({ accountId, id: documentId }, version);
    // Replays never return permanently deleted documents.
    if (!found) throw notFound('document');
    return found.content;
  }
}

function keyedRequest(request: Request, principal: Principal): KeyedRequest {
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
    accountId: principal.accountId,
    principalId: ownerIdOf(principal),
    route: `${request.method} ${request.originalUrl}`,
    key,
    bodyHash:
      request.bodyHash ??
      createHash('sha256')
        .update(request.bodyBytes ?? '')
        .digest(),
  };
}
