import { getMetadataStorage } from 'class-validator';
import type { OpenAPIObject } from '@nestjs/swagger';
import { request } from 'undici';
import { Log } from '../../src/platform/operation/log.js';
import { ApiDocument, samplePath } from '../openapi/api-document.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { sendRaw, type RawResponse } from '../support/raw-http.js';

let app: TestApp;
let api: ApiClient;
let document: ApiDocument;
beforeAll(async () => {
  app = await startTestApp();
  ({ api } = await app.account());
  document = new ApiDocument(
    (await app.api().send('GET', '/v1/openapi.json')).body as OpenAPIObject,
  );
});
afterAll(() => app.close());

const isForPeople = (operation: object) => 'x-signed-in-people' in operation;
const withKey = () =>
  document
    .operations()
    .filter((operation) => operation.security?.length !== 0 && !isForPeople(operation));

describe('an unknown field', () => {
  it('is refused by name in the query of every operation', async () => {
    for (const operation of withKey()) {
      const { method, operationId } = operation;
      const reply = await api.send(method, `${samplePath(operation)}?unknownField=true`);
      const problems = (reply.body?.error?.details?.problems ?? []) as { field: string }[];
      const named = problems.some(({ field }) => field === 'unknownField');
      expect({ operationId, status: reply.status, named }).toEqual({
        operationId,
        status: 400,
        named: true,
      });
    }
  });

  it('is refused by name in the body of a POST that takes none', async () => {
    const id = 'doc_01h455vb4pex5vsknk084sn02q';
    for (const path of [
      `/v1/documents/${id}/versions/1/restore`,
      '/v1/templates/tmpl_01h455vb4pex5vsknk084sn02q/versions/1/restore',
    ]) {
      const refused = await api.send('POST', path, { body: { force: true, why: [] } });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.problems).toEqual([
        { field: 'force', issue: 'is not a known field; this request takes none' },
        { field: 'why', issue: 'is not a known field; this request takes none' },
      ]);
      expectFailure(await api.send('POST', path, { body: {} }), 404, 'NOT_FOUND');
      // Many clients name a media type even if they send no body.
      const headers = { 'content-type': 'application/json' };
      expectFailure(await api.send('POST', path, { headers }), 404, 'NOT_FOUND');
    }
  });

  it('is ignored on routes for probes and browsers, and on unknown paths', async () => {
    for (const path of ['/health/live?x=1', '/health/ready?x=1', '/metrics?x=1', '/v1/openapi.json?x=1']) {
      expect((await app.api().send('GET', path)).status).toBe(200);
    }
    expectFailure(await api.send('GET', '/v1/nowhere?x=1'), 404, 'NOT_FOUND');
    expectFailure(await api.send('DELETE', '/v1/documents?x=1'), 405, 'INVALID_REQUEST');
  }); // prettier-ignore
});

describe('a field that a DTO redeclares', () => {
  it('is required where its own decorator says so, not optional as in the parent class', () => {
    const storage = getMetadataStorage();
    type Rules = ReturnType<typeof storage.getTargetValidationMetadatas>;
    const { validationMetadatas } = storage as unknown as {
      validationMetadatas: Map<new () => object, Rules>;
    };
    const inherited = [...validationMetadatas].flatMap(([dto, own]) => {
      const fields = new Set(own.map(({ propertyName }) => propertyName));
      return storage
        .getTargetValidationMetadatas(dto, '', true, false)
        .filter(({ target, type }) => target !== dto && type === 'conditionalValidation')
        .filter(({ propertyName }) => fields.has(propertyName))
        .map(({ propertyName }) => `${dto.name}.${propertyName}`);
    });
    expect(validationMetadatas.size).toBeGreaterThan(100);
    expect(inherited).toEqual([]);
  });
});

/** Two ways of writing the start of July 2030 in UTC. */
const JULY = ['2030-06-30T24:00:00Z', '2030-06-30T23:59:60Z'];
const NO_TIMES = ['2030-06-30T24:00:01Z', '2030-06-30T12:00:60Z'];

let webhookId: string;
beforeAll(async () => {
  const registered = await api.registerWebhook({
    url: 'https://example.com/hook',
    events: ['*'],
  });
  webhookId = (expectSuccess(registered, 201) as { id: string }).id;
});

/** Every part of a request that can contain a time. */
const PLACES: Readonly<Record<string, (time: string) => ReturnType<ApiClient['send']>>> = {
  createdAfter: (time) => api.send('GET', `/v1/documents?createdAfter=${time}`),
  createdBefore: (time) => api.send('GET', `/v1/documents?createdBefore=${time}`),
  updatedAfter: (time) => api.send('GET', `/v1/documents?updatedAfter=${time}`),
  updatedBefore: (time) => api.send('GET', `/v1/documents?updatedBefore=${time}`),
  'after, of the audit log': (time) => api.send('GET', `/v1/audit?after=${time}`),
  'before, of the audit log': (time) => api.send('GET', `/v1/audit?before=${time}`),
  since: (since) => api.send('POST', `/v1/webhooks/${webhookId}/recover`, { body: { since } }),
  expiresAt: (expiresAt) =>
    api.send('POST', '/v1/keys', { body: { name: 'July', scopes: ['documents:read'], expiresAt } }),
};

describe.each(Object.entries(PLACES))('A time in %s', (_, send) => {
  it.each(JULY)('can be written %s', async (time) => {
    expect(Math.floor((await send(time)).status / 100)).toBe(2);
  });

  it.each(NO_TIMES)('is never %s', async (time) => {
    expectFailure(await send(time), 400, 'INVALID_REQUEST');
  });
});

describe('A key', () => {
  it.each(JULY)('that expires at %s expires with the next day', async (expiresAt) => {
    const made = await PLACES['expiresAt']?.(expiresAt);
    expect(made?.body.data).toMatchObject({ expiresAt: '2030-07-01T00:00:00.000Z' });
  });
});

let key: string;
beforeAll(async () => {
  key = (await app.account()).key;
});

const send = (path: string, ...headers: string[]): Promise<RawResponse> =>
  sendRaw(
    app.port,
    `GET ${path} HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}Connection: close\r\n\r\n`,
  );

function expectRefused({ status, body }: RawResponse, field: string): void {
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({
    success: false,
    error: {
      code: 'INVALID_REQUEST',
      details: { field, issue: 'was sent more than once; send this header once' },
    },
    meta: { requestId: expect.stringMatching(/^req_/) as string },
  });
}

describe.each(['/v1/documents', '/v1/openapi.json', '/health/live', '/nowhere'])(
  'a request for %s',
  (path) => {
    it.each([['x', 'x'], ['x', 'y'], ['', 'x'], Array<string>(3).fill('x')])(
      'with the Host headers %j, %j is refused',
      async (...hosts) => {
        const headers = hosts.map((host, index) => `${index === 1 ? 'hOST' : 'Host'}: ${host}`);
        expectRefused(await send(path, ...headers), 'Host');
      },
    );

    it('with two Authorization headers is refused, whichever of them is valid', async () => {
      const good = `Authorization: Bearer ${key}`;
      for (const other of [good, 'AUTHORIZATION: Bearer x', 'authorization:']) {
        expectRefused(await send(path, 'Host: x', good, other), 'Authorization');
        expectRefused(await send(path, 'Host: x', other, good), 'Authorization');
      }
    });
  },
);

it('A request with one Host and one Authorization header is accepted, whatever else is repeated', async () => {
  const other = ['X-Host: a', 'X-Host: b', 'Accept: */*', 'Accept: text/html'];
  const reply = await send('/v1/documents', 'Host: x', `Authorization: Bearer ${key}`, ...other);
  expect(reply.status).toBe(200);
});

let lists: string[];
beforeAll(async () => {
  const webhook = { url: 'https://example.com/', events: ['document.*'] };
  const text = idOf(await api.createDocument({ title: 'T' }));
  await api.send('PUT', '/v1/publishing', { body: { enabled: true } });
  const release = { title: 'R', items: [{ id: text, action: 'publish' }] };
  const owners: Record<string, string> = {
    '/v1/documents': text,
    '/v1/releases': idOf(await api.send('POST', '/v1/releases', { body: release })),
    '/v1/templates': idOf(await api.createTemplate({ name: 'N', title: 'T' })),
    '/v1/webhooks': idOf(await api.send('POST', '/v1/webhooks', { body: webhook })),
  };
  lists = document
    .operations()
    .filter((operation) => {
      const { method, responses } = operation;
      const isList = responses['200'] && respondsWithList(responses['200']);
      return method === 'GET' && isList && !isForPeople(operation);
    })
    .map(({ path }) =>
      path.replace(/^(.*)\/\{id\}/, (_, owner: string) => `${owner}/${String(owners[owner])}`),
    );
});

/** Returns true if the `data` of a response is an array. Then it is a list, whatever its parameters. */
function respondsWithList(described: Parameters<ApiDocument['resolve']>[0]): boolean {
  const { response } = document.resolve(described, '');
  return JSON.stringify(response.content ?? {}).includes('"data":{"type":"array"');
}

function idOf(response: ApiResponse): string {
  return (expectSuccess(response, 201) as { id: string }).id;
}

const WRONG_VALUES = [
  ['page', 0],
  ['page', 'x'],
  ['page', 1.5],
  ['limit', 0],
  ['limit', 101],
  ['limit', 'all'],
  ['sort', 'nothing'],
  ['order', 'up'],
] as const;

describe('Every list', () => {
  it('accepts page, limit, sort and order as in the specification', async () => {
    expect(lists.length).toBeGreaterThanOrEqual(16);
    expect(lists).toEqual(expect.arrayContaining(['/v1/style-rules', '/v1/event-types']));
    for (const path of lists) {
      const plain = await api.list(path, {});
      expectSuccess(plain);
      expect(plain.body.meta.pagination).toMatchObject({ page: 1, limit: 20 });
      for (const sort of ['created_at', 'updated_at']) {
        for (const order of ['asc', 'desc']) {
          const sorted = await api.list(path, { page: 1, limit: 100, sort, order });
          expect([path, sort, order, sorted.status]).toEqual([path, sort, order, 200]);
        }
      }
      for (const [field, value] of WRONG_VALUES) {
        // A page can be the whole tree of collections.
        if (path === '/v1/collections' && value === 101) continue;
        const refused = await api.list(path, { [field]: value });
        expectFailure(refused, 400, 'INVALID_REQUEST');
        expect([path, value, refused.body.error.details.field]).toEqual([path, value, field]);
      }
    }
  });

  it('continues after a cursor in either sort', async () => {
    const id = idOf(await api.createDocument({ title: '1' }));
    for (const title of ['2', '3']) await api.patchDocument(id, { title });
    for (const path of [`/v1/documents/${id}/versions`, '/v1/events', '/v1/audit']) {
      const walks = await Promise.all(
        ['created_at', 'updated_at'].map(async (sort) => {
          const { body } = await api.list(path, { sort, limit: 2 });
          const cursor = body.meta.pagination.nextCursor as string;
          return expectSuccess(await api.list(path, { sort, limit: 2, cursor }));
        }),
      );
      expect(walks[0]).toEqual(walks[1]);
      expect(walks[0]).not.toEqual([]);
    }
  });
});

describe('a path', () => {
  it.each([
    ['/v1/Documents', '/v1/documents'],
    ['/v1/documents/', '/v1/documents'],
    ['/V1/documents', '/v1/documents'],
    ['/v1//documents', '/v1/documents'],
    ['/v1/documents/doc_1/', '/v1/documents/{id}'],
    ['/health/live/', '/health/live'],
    ['/HEALTH/live', '/health/live'],
    ['/METRICS', '/metrics'],
    ['/metrics/', '/metrics'],
    ['/v1/openapi.json/', '/v1/openapi.json'],
    ['/Docs', '/docs'],
    ['/Dashboard', '/dashboard'],
    ['/V1/', '/v1'],
    ['/dashboard/api/session/', '/dashboard/api/session'],
    ['/dashboard/api/Session', '/dashboard/api/session'],
  ])('%s is not found, and the response suggests %s', async (path, right) => {
    const message = refusal(await api.send('GET', path), 404, 'NOT_FOUND');
    expect(message).toContain(`Did you mean ${right}?`);
  });

  it.each([
    ['/openapi.json', '/v1/openapi.json'],
    ['/v2/openapi.json', '/v1/openapi.json'],
    ['/api/openapi.json/', '/v1/openapi.json'],
    ['/OpenAPI.json', '/v1/openapi.json'],
    ['/documents', '/v1/documents'],
    ['/api', '/v1'],
    ['/api/v1/documents', '/v1/documents'],
    ['/v3/Documents/doc_1', '/v1/documents/{id}'],
  ])(
    '%s without the version of the API is not found, and the response suggests %s',
    async (path, right) => {
      const message = refusal(await api.send('GET', path), 404, 'NOT_FOUND');
      expect(message).toContain(`Did you mean ${right}? Paths of the API start with /v1.`);
    },
  );

  it.each(['/swagger', '/swagger.json', '/api-docs', '/openapi.yaml', '/v1/swagger.json'])(
    '%s is not found, and the response names the OpenAPI document',
    async (path) => {
      const message = refusal(await api.send('GET', path), 404, 'NOT_FOUND');
      expect(message).toContain('/v1/openapi.json');
    },
  );

  it('that resembles no other is not found, without a suggestion', async () => {
    const message = refusal(await api.send('GET', '/v1/nothing'), 404, 'NOT_FOUND');
    expect(message).toBe(
      'This path does not exist. The API is described at /docs, and for programs at /v1/openapi.json.',
    );
  });
});

describe('a key in the URL', () => {
  it.each(['api_key', 'apikey', 'api-key', 'API_KEY', 'api%5Fkey', 'access_token'])(
    'as %s is refused and reported as leaked, even next to a valid header',
    async (name) => {
      for (const client of [app.api(), api]) {
        const reply = await client.send('GET', `/v1/documents?${name}=anything`);
        const message = refusal(reply, 401, 'UNAUTHORIZED');
        expect(message).toMatch(/leaked into logs.*Revoke it.*Authorization: Bearer/);
      }
    },
  );

  it.each(['key', 'token'])('as %s is refused if it looks like one of ours', async (name) => {
    const { key } = await app.account();
    const leaked = await api.send('GET', `/v1/documents?${name}=${key}`);
    expectFailure(leaked, 401, 'UNAUTHORIZED');
    expect(leaked.text).not.toContain(key);
    expectFailure(await api.send('GET', `/v1/documents?${name}=x`), 400, 'INVALID_REQUEST');
  });
});

describe('a name that another service uses', () => {
  it.each([
    ['per_page', 'limit'],
    ['pageSize', 'limit'],
    ['page_size', 'limit'],
    ['search', 'q'],
    ['query', 'q'],
    ['offset', 'page'],
    ['skip', 'page'],
    ['order_by', 'sort'],
    ['page_token', 'cursor'],
  ])('%s suggests %s', async (name, right) => {
    const message = refusal(
      await api.send('GET', `/v1/documents?${name}=1`),
      400,
      'INVALID_REQUEST',
    );
    expect(message).toContain(`did you mean '${right}'?`);
  });

  it('status of a new document suggests PATCH', async () => {
    const reply = await api.createDocument({ title: 'x', status: 'published' });
    const message = refusal(reply, 400, 'INVALID_REQUEST');
    expect(message).toBe(
      'status: cannot be set here: a new document is a draft; change its status with PATCH /v1/documents/{id}',
    );
  });
});

describe('a preflight when no origin is allowed', () => {
  it('is refused with the variable to set, which the log reports once', async () => {
    const warn = jest.spyOn(app.app.get(Log), 'warn');
    const headers = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
    };
    for (let time = 0; time < 2; time += 1) {
      const {
        headers: sent,
        statusCode,
        body,
      } = await request(`${app.origin}/v1/webhooks`, {
        method: 'OPTIONS',
        headers,
      });
      expect([statusCode, sent['access-control-allow-origin']]).toEqual([403, undefined]);
      expect(await body.text()).toContain('CORS_ORIGINS');
    }
    const told = warn.mock.calls.filter(([, message]) => message.includes('CORS_ORIGINS'));
    expect(told).toEqual([[{ origin: headers.origin }, expect.any(String)]]);
    warn.mockRestore();
  });
});

function refusal(reply: ApiResponse, status: number, code: string): string {
  expectFailure(reply, status, code);
  return String(reply.body.error.message);
}
