import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { expressMessages } from './express-messages.js';

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
}
