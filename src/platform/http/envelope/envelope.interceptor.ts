import {
  Injectable,
  Optional,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { defer, finalize, from, lastValueFrom, map, type Observable } from 'rxjs';
import { Clock } from '../../basics/clock/clock.js';
import { ApiResponse } from './api-response.js';
import { BodyReaders } from '../bodies/body-readers.js';
import { successEnvelope } from './envelope.js';
import { isUnchanged } from './preconditions.js';
import { UnknownFields } from './unknown-fields.js';

/** Wraps the handlers of requests that need it, such as retries of a stored response (see `src/features/idempotency/`). */
export abstract class HandlerWrapper {
  abstract appliesTo(request: Request): boolean;

  /** Returns the response of `handle`, or another one instead. */
  abstract run(context: ExecutionContext, handle: () => Promise<ApiResponse>): Promise<ApiResponse>;
}

/** Seconds after which a client should poll a new job. */
const LOOK_AGAIN_AFTER_SECONDS = 1;

/**
 * Reads the request body and wraps the result in the success envelope. The body is read here, not in middleware, so that
 * the guards run first: a request that fails authentication or its limits is refused without reading its body. One
 * interceptor does both, because each interceptor costs time on every request.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(
    private readonly clock: Clock,
    private readonly bodies: BodyReaders,
    private readonly unknownFields: UnknownFields,
    @Optional() private readonly wrapper?: HandlerWrapper,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<string | undefined> | Promise<Observable<string | undefined>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    this.unknownFields.refuseQuery(context, request);
    const reading = this.bodies.read(context, request, response);
    if (!reading) return this.wrap(next, context);
    return reading.then((reservation) =>
      this.wrap(next, context).pipe(
        // Release it neither when the response has been sent nor when the client has disconnected: the handler needs the
        // body until it ends.
        finalize(() => {
          reservation.release();
        }),
      ),
    );
  }

  private wrap(next: CallHandler, context: ExecutionContext): Observable<string | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return this.handle(next, context, request).pipe(
      map((result: unknown) => {
        // The handlers for metrics and the API document write the response themselves.
        if (response.headersSent) return undefined;
        return this.write(asResponse(result), request, response);
      }),
    );
  }

  private handle(
    next: CallHandler,
    context: ExecutionContext,
    request: Request,
  ): Observable<unknown> {
    const handled = defer(() => {
      this.unknownFields.refuseBody(context, request);
      return next.handle();
    });
    if (!this.wrapper?.appliesTo(request)) return handled;
    return from(
      this.wrapper.run(context, async () => asResponse(await lastValueFrom<unknown>(handled))),
    );
  }

  private write(answer: ApiResponse, request: Request, response: Response): string | undefined {
    const { location, job, etag, pagination, warnings, totalIsLowerBound, requestLog } =
      answer.extras;
    if (location !== undefined) response.status(201).setHeader('Location', location);
    if (job !== undefined) {
      response.status(202).setHeader('Location', job);
      response.setHeader('Retry-After', String(LOOK_AGAIN_AFTER_SECONDS));
    }
    if (etag !== undefined) {
      response.setHeader('ETag', etag);
      if (isUnchanged(request, etag)) {
        response.status(304);
        return undefined;
      }
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return successEnvelope(answer.json, request.requestId, this.clock.now(), {
      pagination,
      warnings,
      totalIsLowerBound,
      requestLog,
    });
  }
}

function asResponse(result: unknown): ApiResponse {
  return result instanceof ApiResponse ? result : new ApiResponse(JSON.stringify(result ?? null));
}
