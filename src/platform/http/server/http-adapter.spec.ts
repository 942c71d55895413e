import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { expressMessages } from './http-adapter.js';

/** Calls `work` with the address of a server that creates its messages for `app`. */
async function withServer(
  app: Express,
  listener: RequestListener,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const server = createServer(expressMessages(app), listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await work(`http://127.0.0.1:${String(port)}`);
  server.close();
}

describe('messages for Express', () => {
  it('already have the prototypes that Express sets', async () => {
    const app = express();
    const seen: boolean[] = [];
    app.get('/greeting', (request, response) => {
      response.json({ path: request.path, size: request.get('x-size') });
    });
    const listener: RequestListener = (request, response) => {
      seen.push(
        Object.getPrototypeOf(request) === app.request,
        Object.getPrototypeOf(response) === app.response,
        request instanceof IncomingMessage,
        response instanceof ServerResponse,
      );
      app(request, response);
    };
    await withServer(app, listener, async (origin) => {
      const reply = await fetch(`${origin}/greeting`, { headers: { 'X-Size': '3' } });
      expect(await reply.json()).toEqual({ path: '/greeting', size: '3' });
    });
    expect(seen).toEqual([true, true, true, true]);
  });
});
