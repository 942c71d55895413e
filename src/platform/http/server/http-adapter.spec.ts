import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import express, { type Express } from 'express';
import { expressMessages } from './http-adapter.js';

setFlagsFromString('--allow-natives-syntax');
const isNoDictionary = runInNewContext('(object) => %HasFastProperties(object)') as (
  object: object,
) => boolean;

/** Does `work` with the address of a server that makes its messages for `app`. */
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
  it('have the prototypes Express would give them before Express sees them', async () => {
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
      const answer = await fetch(`${origin}/greeting`, { headers: { 'X-Size': '3' } });
      expect(await answer.json()).toEqual({ path: '/greeting', size: '3' });
    });
    expect(seen).toEqual([true, true, true, true]);
  });

  it('have room for what the service adds to them, and do not become dictionaries', async () => {
    const seen: boolean[] = [];
    const listener: RequestListener = (request, response) => {
      for (const message of [request, response] as unknown as Record<string, unknown>[]) {
        for (let n = 0; n < 12; n += 1) message[`added${String(n)}`] = n;
        seen.push(isNoDictionary(message));
      }
      response.setHeader('X-Answer', 'a').end('ok');
    };
    await withServer(express(), listener, async (origin) => {
      // V8 settles the room of new objects after some of them.
      for (let n = 0; n < 20; n += 1) await (await fetch(origin)).text();
    });
    expect(seen.slice(-2)).toEqual([true, true]);
  });
});
