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
import { DocumentPlaces } from '../auth/access/document-places.js';
import { accessOf, REACH, type RouteReach } from '../auth/access/reach.decorators.js';
import { RIGHTS } from '../auth/access/rights.js';
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
    private readonly places: DocumentPlaces,
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
        const reach = this.reflector.getAllAndOverride<RouteReach | undefined>(REACH, [
          context.getHandler(),
          context.getClass(),
        ]);
        await this.requireReach(earlier, request, reach);
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

  /**
   * Checks again what the route reaches: the documents and collections that the request names, and those of its response.
   * Throws like a new request: `not_found` for one that the caller cannot see now, and `forbidden` if the right is too
   * little. The guards have checked the rest.
   */
  private async requireReach(
    record: IdempotencyRecord,
    request: Request,
    reach: RouteReach | undefined,
  ): Promise<void> {
    const access = accessOf(request);
    if (access.isWhole && access.rights === null) return;
    const required = RIGHTS.find((right) => right === reach?.level) ?? 'viewer';
    const { documents, collections } = await resourcesOf(record, request);
    for (const id of collections) {
      if (access.rightIn(id) === null) throw notFound('collection');
      access.requireRight(required, id);
    }
    const places = await this.places.of(access, documents);
    for (const id of documents) {
      const place = places.get(id);
      if (!place || place.isInTrash) throw notFound('document');
      access.requireRight(required, place.collectionId);
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

/** Returns the UUIDs of the documents and collections that a request and its stored outcome name. */
async function resourcesOf(record: IdempotencyRecord, request: Request) {
  const { id, documentId } = await membersOf(record);
  const named = [request.params['id'], id, documentId].map(String);
  const contents = 'json' in record ? record.omissions : [];
  const documents = [
    ...named.flatMap((one) => decodeId('document', one) ?? []),
    ...contents.map((content) => content.documentId),
  ];
  return {
    documents: [...new Set(documents)],
    collections: [...new Set(named.flatMap((one) => decodeId('collection', one) ?? []))],
  };
}

/** Returns the members of a stored response without contents, or the details of a stored failure. */
async function membersOf(record: IdempotencyRecord): Promise<Record<string, unknown>> {
  if (!('json' in record)) return record.details ?? {};
  const { json } = await replay(record, () => Promise.resolve(''));
  return (JSON.parse(json) as Record<string, unknown> | null) ?? {};
}
