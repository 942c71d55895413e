import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Clock } from '../../basics/clock/clock.js';
import { asApiResponse, type ApiResponse } from './api-response.js';
import { successEnvelope } from './envelope.js';
import { setCacheControl } from './cache-control.js';
import { isUnchanged } from './preconditions.js';

/** Seconds after which a client should poll a new job. */
const RETRY_AFTER_SECONDS = 1;

/** Wraps the result of a handler in the success envelope, and sets the status and headers that belong to it. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly clock: Clock) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<string | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      map((result: unknown) => {
        // The handlers for metrics and the API document write the response themselves.
        if (response.headersSent) return undefined;
        return this.write(asApiResponse(result), request, response);
      }),
    );
  }

  private write(
    { json, extras }: ApiResponse,
    request: Request,
    response: Response,
  ): string | undefined {
    const {
      location,
      job,
      etag,
      cacheControl,
      pagination,
      warnings,
      totalIsLowerBound,
      requestLog,
    } = extras;
    if (location !== undefined) response.status(201).setHeader('Location', location);
    if (job !== undefined) {
      response.status(202).setHeader('Location', job);
      response.setHeader('Retry-After', String(RETRY_AFTER_SECONDS));
    }
    if (cacheControl !== undefined) setCacheControl(response, cacheControl);
    if (etag !== undefined) {
      response.setHeader('ETag', etag);
      if (isUnchanged(request, etag)) {
        response.status(304);
        return undefined;
      }
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return successEnvelope(json, request.requestId, this.clock.now(), {
      pagination,
      warnings,
      totalIsLowerBound,
      requestLog,
    });
  }
}
