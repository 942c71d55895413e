import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { AppError, invalidFields } from '../basics/errors/app-error.js';
import { expressMessages } from './express-messages.js';

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
