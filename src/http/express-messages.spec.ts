import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expressMessages } from './express-messages.js';

describe('messages for Express', () => {
  it('have the prototypes Express would give them before Express sees them', async () => {
    const app = express();
    const seen: boolean[] = [];
    const server = createServer(expressMessages(app), (request, response) => {
      seen.push(
        Object.getPrototypeOf(request) === app.request,
        Object.getPrototypeOf(response) === app.response,
        request instanceof IncomingMessage,
        response instanceof ServerResponse,
      );
      app(request, response);
    });
    app.get('/greeting', (request, response) => {
      response.json({ path: request.path, size: request.get('x-size') });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${String(port)}/greeting`, {
      headers: { 'X-Size': '3' },
    });
    expect(await answer.json()).toEqual({ path: '/greeting', size: '3' });
    expect(seen).toEqual([true, true, true, true]);
    server.close();
  });
});
