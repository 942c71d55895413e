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
 * Connections that wait to be accepted, as far as the kernel lets there be so many (`net.core.somaxconn`). Node accepts one
 * each time it looks at its sockets, and the kernel drops what is beyond: such clients try again after 1, 3 and 7 seconds.
 */
const BACKLOG = 4_096;

/**
 * Express, on a server that leaves a missing Host header to us: Node would refuse it with an empty answer, and every
 * answer is to be in the envelope (see {@link refuseRepeatedHeaders}).
 */
export class HttpAdapter extends ExpressAdapter {
  constructor() {
    // Before Nest has its first middleware registered: with that the router is made, and looks at these settings no more.
    // A path has one spelling, for which the rules of proxies, caches and logs are written.
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
 * RFC 9112, 3.2: a request of HTTP/1.1 without a Host header, or with two, is answered with 400. Two Authorization headers
 * likewise: Node keeps the first one without a word, and a proxy in front may have believed the other.
 */
export function refuseRepeatedHeaders(request: Request, _: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    next(new AppError('bad_request', 'The request has no Host header, which HTTP/1.1 requires.'));
    return;
  }
  const repeated = ['Host', 'Authorization'].find((name) => isRepeated(request.rawHeaders, name));
  next(repeated === undefined ? undefined : sentTwice(repeated));
}

/** `raw` has names and values in turn, as they were sent. */
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
 * Messages born with Express' prototypes. Express sets the prototypes of both messages at every request. On messages of
 * another kind V8 then makes new hidden classes, which costs about 35 µs a request and moves what each request allocated
 * into the old generation, so that the collector never rests. To set the prototype an object has already costs nothing.
 */
export function expressMessages(
  express: Express,
): Pick<Required<ServerOptions>, 'IncomingMessage' | 'ServerResponse'> {
  return {
    IncomingMessage: withPrototype(IncomingMessage, express.request),
    ServerResponse: withPrototype(ServerResponse, express.response),
  };
}

/** Names of properties that no message has. */
type Spare = `${'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h'}${1 | 2 | 3 | 4 | 5 | 6}`;

/**
 * Node's constructors are functions that may be called on an object made elsewhere; Reflect.construct is far slower.
 *
 * V8 gives an object as much room as its constructor has assignments to `this`, whether they are reached or not, and
 * makes a dictionary of one with a dozen properties more, as these messages get: slower, and 2 KB each.
 */
function withPrototype<Class extends abstract new (...args: never[]) => object>(
  constructor: Class,
  prototype: object,
): Class {
  function Message(this: Record<Spare, undefined>, ...args: unknown[]): void {
    if (args.length < 0) {
      this.a1 =
        this.a2 =
        this.a3 =
        this.a4 =
        this.a5 =
        this.a6 =
        this.b1 =
        this.b2 =
        this.b3 =
        this.b4 =
        this.b5 =
        this.b6 =
        this.c1 =
        this.c2 =
        this.c3 =
        this.c4 =
        this.c5 =
        this.c6 =
        this.d1 =
        this.d2 =
        this.d3 =
        this.d4 =
        this.d5 =
        this.d6 =
        this.e1 =
        this.e2 =
        this.e3 =
        this.e4 =
        this.e5 =
        this.e6 =
        this.f1 =
        this.f2 =
        this.f3 =
        this.f4 =
        this.f5 =
        this.f6 =
        this.g1 =
        this.g2 =
        this.g3 =
        this.g4 =
        this.g5 =
        this.g6 =
        this.h1 =
        this.h2 =
        this.h3 =
        this.h4 =
        this.h5 =
        this.h6 =
          undefined;
    }
    (constructor as unknown as (this: object, ...args: unknown[]) => void).apply(this, args);
  }
  Message.prototype = prototype;
  return Message as unknown as Class;
}
