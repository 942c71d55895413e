import {
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { BodyBudget, BodyReservation } from './body-budget.js';
import { JsonBodyReader } from './json-body-reader.js';

/** Reads the body of a request after the guards, before its handler and the handler's transaction. */
export interface BodyReader {
  /**
   * Sets `body`, and a value that is the same in every retry: `bodyBytes`, or `bodyHash` if the bytes are not in memory.
   * Reserves memory before it uses it. Throws an AppError for an invalid body; the rest of the body is then discarded.
   */
  read(request: Request, response: Response, reservation: BodyReservation): Promise<void>;
}

const READER = 'body reader';

/** After an error response, the client can pause for this long, and can send for this long in total. */
const IDLE_MS = 2_000;
const LONGEST_MS = 30_000;

/** Makes this provider read the bodies of a route that does not take JSON. */
export const BodyReadBy = (reader: Type<BodyReader>) => SetMetadata(READER, reader);

/**
 * Reads the request body. Middleware would read it before the guards; an interceptor runs after them, so a request that
 * fails authentication or exceeds its limits is refused without reading its body.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly json: JsonBodyReader,
    private readonly budget: BodyBudget,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const reader = this.readerFor(context, request);
    if (!reader) return next.handle();
    return this.readBy(reader, request, http.getResponse<Response>()).then((reservation) =>
      next.handle().pipe(
        // Release it neither when the response has been sent nor when the client has disconnected: the handler needs the
        // body until it ends.
        finalize(() => {
          reservation.release();
        }),
      ),
    );
  }

  private async readBy(
    reader: BodyReader,
    request: Request,
    response: Response,
  ): Promise<BodyReservation> {
    const reservation = new BodyReservation(this.budget, request);
    try {
      await reader.read(request, response, reservation);
      return reservation;
    } catch (error) {
      reservation.release();
      discardRest(request);
      throw error;
    }
  }

  private readerFor(context: ExecutionContext, request: Request): BodyReader | undefined {
    const own = this.reflector.get<Type<BodyReader> | undefined>(READER, context.getHandler());
    if (own) return this.modules.get(own, { strict: false });
    return this.json.takesBody(context, request) ? this.json : undefined;
  }
}

/**
 * Reads and discards the rest of a refused body, so that a client that is still sending sees the response instead of a
 * connection reset. Closes the connection of a client that pauses or sends for too long.
 */
function discardRest(request: Request): void {
  if (request.complete || request.destroyed) return;
  const close = () => {
    request.socket.destroy();
  };
  const idle = setTimeout(close, IDLE_MS).unref();
  const end = setTimeout(close, LONGEST_MS).unref();
  const stop = () => {
    clearTimeout(idle);
    clearTimeout(end);
  };
  request.on('data', () => idle.refresh());
  request.once('end', stop).once('close', stop);
  request.resume();
}
