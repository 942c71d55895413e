import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { expressMessages } from './express-messages.js';

/**
 * Connections that wait to be accepted, as far as the kernel lets there be so many (`net.core.somaxconn`). Node accepts one
 * each time it looks at its sockets, and the kernel drops what is beyond: such clients try again after 1, 3 and 7 seconds.
 */
const BACKLOG = 4_096;

/**
 * Express, on a server that leaves a missing Host header to us: Node would refuse it with an empty answer, and every
 * answer is to be in the envelope (see `single-headers.ts`).
 */
export class HttpAdapter extends ExpressAdapter {
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
