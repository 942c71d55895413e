import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import {
  ApiError,
  ConnectionError,
  DocumentService,
  DocumentServiceError,
  RateLimitError,
} from '@document-service/client';

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const KEY = 'ds_live_never_printed';
const servers: Server[] = [];

/** Starts a server with one response to everything. */
async function responding({ status = 200, headers = {}, body = '' }: Reply) {
  const seen: { method?: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method, headers: request.headers });
    response.writeHead(status, headers).end(body);
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const client = new DocumentService({ baseUrl, apiKey: KEY, maxRetries: 1, retryDelayMs: 1 });
  return { baseUrl, client, seen };
}

const failureOf = (call: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(call).then(
    (data) => new Error(`returned ${JSON.stringify(data)}`),
    (error: unknown) => error as Error,
  );

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a response that is not from the service', () => {
  it.each(['', '{"success":true,"da', '['.repeat(200_000), 'null', '[1]', '{"message":"hi"}'])(
    'a response that is not from the service is a ConnectionError (%#)',
    async (body) => {
      const { client } = await responding({ headers: JSON_TYPE, body });
      const calls = [
        () => client.me(),
        () => client.documents.list(),
        () => client.documents.list().toArray(),
      ];
      for (const call of calls) {
        const error = await failureOf(call());
        expect(error).toBeInstanceOf(ConnectionError);
        expect(error.message).toMatch(/not valid JSON|not from the service/);
      }
    },
  );

  it('a response that is not from the service is a ConnectionError where a list is no list', async () => {
    const body = '{"success":true,"data":{},"meta":{}}';
    const { client } = await responding({ headers: JSON_TYPE, body });
    expect((await failureOf(client.documents.list())).message).toMatch(/not a list/);
  });

  it.each([301, 302, 303, 307, 308])(
    'a response that is not from the service is not followed with %d',
    async (status) => {
      const other = await responding({ headers: JSON_TYPE, body: '{"success":true,"data":{}}' });
      const { client, seen } = await responding({ status, headers: { Location: other.baseUrl } });
      const error = await failureOf(client.documents.create({ title: 'x' }));
      expect(error).toBeInstanceOf(DocumentServiceError);
      expect(error.message).toMatch(/ redirects to http:.*Set DOCUMENT_SERVICE_URL or baseUrl/);
      expect([seen.length, other.seen.length]).toEqual([1, 0]);
    },
  );

  it('a response that is not from the service is not followed in a browser, which hides where it leads', async () => {
    const redirect = { type: 'opaqueredirect', status: 0, ok: false, headers: new Headers() };
    const fetch = () => Promise.resolve(redirect as Response);
    const client = new DocumentService({ baseUrl: 'http://localhost', apiKey: KEY, fetch });
    expect((await failureOf(client.me())).message).toMatch(/redirects to another URL\. Set/);
  });

  it.each(['1.5', '-5', 'soon'])(
    'a response that is not from the service has no time to retry with Retry-After: %s',
    async (value) => {
      const { client } = await responding({ status: 429, headers: { 'Retry-After': value } });
      const error = await failureOf(client.me());
      expect(error).toBeInstanceOf(RateLimitError);
      expect((error as ApiError).retryAfter).toBeUndefined();
    },
  );
});

it.each(['', '.', '..', undefined as unknown as string])(
  'a path is not sent with %j, which addresses something else',
  async (id) => {
    const { client, seen } = await responding({ headers: JSON_TYPE });
    await expect(client.documents.delete(id)).rejects.toThrow(/^id must not be "/);
    await expect(client.documents.versions.list(id)).rejects.toThrow(TypeError);
    expect(seen).toHaveLength(0);
  },
);

it('the key is not in a printed client, nor in its errors', async () => {
  const { client } = await responding({ status: 401 });
  const error = await failureOf(client.me());
  for (const value of [client, client.documents, error]) {
    expect(inspect(value, { depth: 9, showHidden: true })).not.toContain(KEY);
  }
});

describe('events.follow', () => {
  const page = (ids: string[]) => ({
    headers: JSON_TYPE,
    body: JSON.stringify({
      success: true,
      data: ids.map((id) => ({ id, type: 'document.created' })),
      meta: { pagination: { limit: 100, total: 3, hasMore: false, nextCursor: 'c' } },
    }),
  });

  it('events.follow ends at once when the signal aborts, also within a page', async () => {
    const { client } = await responding(page(['evt_1', 'evt_2', 'evt_3']));
    const controller = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { id } of client.events.follow({ signal: controller.signal })) {
        seen.push(id);
        controller.abort(new Error('enough'));
      }
    })();
    await following;
    expect(seen).toEqual(['evt_1']);
  });

  it('events.follow waits if it is told to wait for years', async () => {
    const headers = { 'Retry-After': '99999999999' };
    const { client, seen } = await responding({ status: 429, headers });
    const signal = AbortSignal.timeout(300);
    expect(await client.events.follow({ signal }).next()).toEqual({ done: true, value: undefined });
    expect(seen).toHaveLength(1);
  });
});
