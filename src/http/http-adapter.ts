import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/**
 * Express, on a server that leaves a missing Host header to us: Node would refuse it with an empty answer, and every
 * answer is to be in the envelope (see `require-host.ts`).
 */
export class HttpAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const server: Server = createServer({ requireHostHeader: false }, this.getInstance());
    this.httpServer = server;
  }
}
