import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import {
  createServer,
  IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { AppError, invalidFields } from '../../basics/errors/app-error.js';

/**
 * Size of the accept queue, if the kernel allows it (`net.core.somaxconn`). The kernel drops further connections; their
 * clients retry after 1, 3 and 7 seconds.
 */
const BACKLOG = 4_096;

/**
 * Express on a server that accepts a missing Host header: Node would refuse it with an empty response, and every
 * response must be in the envelope (see {@link refuseRepeatedHeaders}).
 */
export class HttpAdapter extends ExpressAdapter {
  constructor() {
    // Set these before Nest registers its first middleware, which creates the router. Each path then has exactly one
    // spelling, and rules of proxies, caches and logs can rely on it.
    super(express().enable('case sensitive routing').enable('strict routing'));
  }

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    const server: Server = createServer(
      { requireHostHeader: false, ...expressMessages(express) },
      express,
    );
    this.httpServer = server;
  }

  override listen(port: string | number, ...rest: (string | (() => void) | undefined)[]): Server {
    const host = rest.find((argument) => typeof argument === 'string');
    const listening = rest.find((argument) => typeof argument === 'function');
    const server: Server = this.getHttpServer();
    return server.listen({ port: Number(port), host, backlog: BACKLOG }, listening);
  }
}

/**
 * Refuses HTTP/1.1 requests without a Host header or with two (RFC 9112, section 3.2). Also refuses two Authorization
 * headers: Node uses the first, and a proxy may have checked the other.
 */
export function refuseRepeatedHeaders(request: Request, _: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    next(new AppError('bad_request', 'The request has no Host header, which HTTP/1.1 requires.'));
    return;
  }
  const repeated = ['Host', 'Authorization'].find((name) => isRepeated(request.rawHeaders, name));
  next(repeated === undefined ? undefined : sentTwice(repeated));
}

/** `raw` holds names and values alternately, as they were sent. */
function isRepeated(raw: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase();
  let found = 0;
  for (let index = 0; index < raw.length; index += 2) {
    const sent = raw[index];
    if (sent?.length === wanted.length && sent.toLowerCase() === wanted) found += 1;
  }
  return found > 1;
}

function sentTwice(field: string): AppError {
  return invalidFields([{ field, issue: 'was sent more than once; send this header once' }]);
}

/**
 * Creates messages with Express' prototypes. Otherwise Express changes the prototype of both messages on every request,
 * and V8 creates new hidden classes. That costs about 35 µs per request (a list ×1.13, a create ×1.29) and moves each
 * request's memory into the old generation. Setting the prototype that an object already has costs nothing.
 */
export function expressMessages(
  express: Express,
): Pick<Required<ServerOptions>, 'IncomingMessage' | 'ServerResponse'> {
  return {
    IncomingMessage: withPrototype(IncomingMessage, express.request),
    ServerResponse: withPrototype(ServerResponse, express.response),
  };
}

/**
 * Subclasses a message. Node's constructors are functions that can be called on an existing object; Reflect.construct is
 * much slower.
 */
function withPrototype<Class extends abstract new (...args: never[]) => object>(
  constructor: Class,
  prototype: object,
): Class {
  function Message(this: object, ...args: unknown[]): void {
    (constructor as unknown as (this: object, ...args: unknown[]) => void).apply(this, args);
  }
  Message.prototype = prototype;
  return Message as unknown as Class;
}
