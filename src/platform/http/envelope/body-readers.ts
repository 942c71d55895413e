import { Injectable, SetMetadata, type ExecutionContext, type Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { BodyBudget } from './body-budget.js';
import { BodyReservation } from './body-reservation.js';
import { JsonBodyReader } from './json-body-reader.js';

/** Puts what a request brings on it, after the guards and before its handler and any transaction of it. */
export interface BodyReader {
  /**
   * Sets `body`, and what is the same in every retry: `bodyBytes`, or `bodyHash` of what is not held in memory. Reserves
   * the memory before it takes it. Throws an AppError that says what is wrong; the rest of the body is discarded then.
   */
  read(request: Request, response: Response, room: BodyReservation): Promise<void>;
}

const READER = 'body reader';

/** How long the client may pause, and send in all, once it is answered. */
const IDLE_MS = 2_000;
const LONGEST_MS = 30_000;

/** The route takes something else than JSON: this provider reads it. */
export const BodyReadBy = (reader: Type<BodyReader>) => SetMetadata(READER, reader);

/** Knows who reads the body of which route. */
@Injectable()
export class BodyReaders {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly json: JsonBodyReader,
    private readonly budget: BodyBudget,
  ) {}

  /** Reads the body of the request; the room that it has until it is released. `undefined` when nobody is to read one. */
  read(
    context: ExecutionContext,
    request: Request,
    response: Response,
  ): Promise<BodyReservation> | undefined {
    const reader = this.readerFor(context, request);
    return reader && this.readBy(reader, request, response);
  }

  private async readBy(
    reader: BodyReader,
    request: Request,
    response: Response,
  ): Promise<BodyReservation> {
    const room = new BodyReservation(this.budget, request);
    try {
      await reader.read(request, response, room);
      return room;
    } catch (error) {
      room.release();
      discardRest(request);
      throw error;
    }
  }

  private readerFor(context: ExecutionContext, request: Request): BodyReader | undefined {
    const own = this.reflector.get<Type<BodyReader> | undefined>(READER, context.getHandler());
    if (own) return this.modules.get(own, { strict: false });
    return this.json.isWanted(context, request) ? this.json : undefined;
  }
}

/**
 * Takes in and throws away what is still to come of a body that was refused. To close at once would reset the
 * connection, and a client that is still sending would see that instead of its answer. Close is what an endless or
 * lazy one gets.
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
