import type { MediaTypeObject, OpenAPIObject, RequestBodyObject } from '@nestjs/swagger';
import type { ApiClient, ApiResponse, RequestOptions } from '../support/api-client.js';
import { sampleId } from '../../src/platform/openapi/schemas.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ApiDocument } from './api-document.js';

const UNKNOWN = '01h455vb4pex5vsknk084sn02q';

let app: TestApp;
let document: ApiDocument;
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
  const { body } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
  ({ api } = await app.account());
});
afterAll(() => app.close());

/** Sends the operation's request and checks the response against the document. */
async function reply(
  operationId: string,
  options: RequestOptions & {
    id?: string;
    deliveryId?: string;
    number?: string;
    query?: string;
    client?: ApiClient;
  } = {},
): Promise<ApiResponse> {
  const { method, path } = document.operation(operationId);
  const filled = path
    .replace('{id}', options.id ?? '')
    .replace('{deliveryId}', options.deliveryId ?? '')
    .replace('{number}', options.number ?? '1');
  const address = filled + (options.query ?? '');
  const response = await (options.client ?? api).send(method, address, options);
  document.expectDescribed(operationId, response);
  return response;
}

/** Returns an example with a collection that exists. */
function withIn(collection: string, example: unknown): unknown {
  return JSON.parse(JSON.stringify(example).replaceAll(sampleId('collection'), collection));
}

function idOf({ body }: ApiResponse): string {
  return (body as { data: { id: string } }).data.id;
}

/** Creates a key for the account, to read, rotate or revoke. */
async function newKey(): Promise<string> {
  return idOf(await reply('createKey', { body: { name: 'k', scopes: ['documents:read'] } }));
}

describe('what the API document says about responses', () => {
  it.each(['createDocument', 'registerWebhook', 'createKey', 'rotateKey'])(
    'holds for every example of a body of %s, and each is accepted',
    async (operationId) => {
      const { content } = document.operation(operationId).requestBody as RequestBodyObject;
      const { examples = {} } = content['application/json'] as MediaTypeObject;
      expect(Object.keys(examples).length).toBeGreaterThan(1);
      const collection = idOf(await reply('createCollection', { body: { name: 'Reports' } }));
      for (const example of Object.values(examples) as { value: unknown }[]) {
        const id = operationId === 'rotateKey' ? await newKey() : '';
        const response = await reply(operationId, { id, body: withIn(collection, example.value) });
        expect({ status: response.status, text: response.text }).toMatchObject({ status: 201 });
        expect(response.headers['location']).toBeDefined();
      }
    },
  );

  it('holds for documents: read, unchanged, listed by page and by cursor, with content', async () => {
    await reply('createDocument', { body: { title: 'One', metadata: { tags: [], free: [{}] } } });
    const created = await reply('createDocument', { body: { title: 'Two', content: 'text' } });
    const id = idOf(created);
    const read = await reply('readDocument', { id });
    const etag = String(read.headers['etag']);
    expect((await reply('readDocument', { id, headers: { 'if-none-match': etag } })).status).toBe(
      304,
    );
    const page = await reply('listDocuments', { query: '?limit=1' });
    const { nextCursor } = page.body.meta.pagination as { nextCursor: string };
    expect((await reply('listDocuments', { query: `?limit=1&cursor=${nextCursor}` })).status).toBe(
      200,
    );
    const full = await reply('listDocuments', { query: '?include=content&sort=title&order=asc' });
    expect(full.body.data[0]).toHaveProperty('content');
  });

  it('holds for webhooks and for what is deleted', async () => {
    const body = { url: 'https://example.com/hook', events: ['*', '*'], secret: 'short' };
    const registered = await reply('registerWebhook', { body });
    expect(registered.body.meta.warnings).toHaveLength(2);
    const id = idOf(registered);
    expect((await reply('readWebhook', { id })).status).toBe(200);
    expect((await reply('listWebhooks')).status).toBe(200);
    expect((await reply('deleteWebhook', { id })).status).toBe(200);
  });

  it('holds for actions on webhooks and their deliveries', async () => {
    const id = idOf(
      await reply('registerWebhook', { body: { url: 'https://example.com', events: ['*'] } }),
    );
    const change = { description: 'New', payload: 'thin' };
    expect((await reply('patchWebhook', { id, body: change })).status).toBe(200);
    expect((await reply('patchWebhook', { id, body: { secret: 'x' } })).status).toBe(400);
    expect((await reply('rotateWebhookSecret', { id })).status).toBe(200);
    const tested = await reply('testWebhook', { id });
    const { eventId } = tested.body.data as { eventId: string };
    const event = await reply('readEvent', { id: eventId });
    document.expectValid('/components/schemas/WebhookTestEvent', event.body.data);
    const deliveryId = idOf(tested);
    expect((await reply('listDeliveries', { id, query: '?status=pending' })).status).toBe(200);
    expect((await reply('readDelivery', { id, deliveryId })).status).toBe(200);
    expect((await reply('readDelivery', { id, deliveryId: 'x' })).status).toBe(404);
    expect((await reply('redeliver', { id, deliveryId })).status).toBe(202);
    const since = { since: '2026-01-01T00:00:00Z' };
    expect((await reply('recoverDeliveries', { id, body: since })).status).toBe(202);
    expect((await reply('patchWebhook', { id, body: { status: 'disabled' } })).status).toBe(200);
    expect((await reply('redeliver', { id, deliveryId })).status).toBe(409);
    expect((await reply('testWebhook', { id })).status).toBe(409);
    const [disabled] = (await reply('listEvents')).body.data as object[];
    document.expectValid('/components/schemas/WebhookDisabledEvent', disabled);
  });

  it('holds for a stream that is refused', async () => {
    const headers = { 'last-event-id': 'x' };
    expect((await reply('streamEvents', { headers })).status).toBe(400);
    expect((await reply('streamEvents', { query: '?types=x' })).status).toBe(400);
  });

  it('holds for events, in their thin and in their full form', async () => {
    await reply('createDocument', { body: { title: 'Watched', content: 'text' } });
    const list = await reply('listEvents');
    const [{ id }] = list.body.data as [{ id: string }];
    const event = await reply('readEvent', { id });
    document.expectValid('/components/schemas/DocumentCreatedEvent', event.body.data);
    document.expectValid('/components/schemas/DocumentCreatedEvent', list.body.data[0]);
  });

  it('holds for keys, including one that has expired', async () => {
    const id = await newKey();
    expect((await reply('readKey', { id })).status).toBe(200);
    expect((await reply('revokeKey', { id })).status).toBe(200);
    expect((await reply('rotateKey', { id, body: {} })).status).toBe(409);
    expect((await reply('listKeys', { query: '?limit=100' })).status).toBe(200);
  });

  it('holds for the audit log, including entries without a key', async () => {
    await newKey();
    await app.dataSource.query(
      `INSERT INTO audit_log (id, account_id, action, details, created_at)
       SELECT uuid_v7(), account_id, 'account.export', '{"by":"operator"}', now() FROM audit_log LIMIT 1`,
    );
    const list = await reply('listAuditEntries', { query: '?limit=100' });
    const [{ id }] = list.body.data as [{ id: string }];
    expect((await reply('readAuditEntry', { id })).status).toBe(200);
    const query = '?resourceType=key&action=key.create&after=2020-01-01T00:00:00Z';
    expect((await reply('listAuditEntries', { query })).body.data).not.toHaveLength(0);
  });

  it('holds for usage on a plan with limits and on one without, and for a full quota', async () => {
    const { api: free } = await app.account({ plan: 'free' });
    expect((await reply('readUsage', { client: free })).status).toBe(200);
    expect((await reply('readUsage')).status).toBe(200);
    const body = { url: 'https://example.com/hook', events: ['*'] };
    for (let index = 0; index < 5; index += 1) {
      await reply('registerWebhook', { client: free, body });
    }
    expect((await reply('registerWebhook', { client: free, body })).status).toBe(403);
  });

  it.each(['checkLiveness', 'checkReadiness'])('holds for %s', async (operationId) => {
    expect((await reply(operationId)).status).toBe(200);
  });

  it.each([
    ['readDocument', 'doc'],
    ['readWebhook', 'wh'],
    ['deleteWebhook', 'wh'],
    ['patchWebhook', 'wh'],
    ['rotateWebhookSecret', 'wh'],
    ['testWebhook', 'wh'],
    ['listDeliveries', 'wh'],
    ['readEvent', 'evt'],
    ['readKey', 'key'],
    ['revokeKey', 'key'],
    ['readAuditEntry', 'aud'],
  ])('holds for the 404 of %s', async (operationId, prefix) => {
    expect((await reply(operationId, { id: `${prefix}_${UNKNOWN}` })).status).toBe(404);
  });

  it.each(['listDocuments', 'listWebhooks', 'listEvents', 'listKeys', 'listAuditEntries'])(
    'holds for the 400 of %s',
    async (operationId) => {
      expect((await reply(operationId, { query: '?limit=101&pge=2' })).status).toBe(400);
    },
  );

  it.each([
    ['a body that is no JSON', 400, { rawBody: '{' }],
    ['a body with several problems', 400, { body: { titel: 'x', metadata: { tags: 1 } } }],
    ['a body larger than the limit', 413, { rawBody: Buffer.alloc(9 * 1024 * 1024, 32) }],
    ['a body of another type', 415, { rawBody: 'x', headers: { 'content-type': 'text/plain' } }],
  ])('holds for %s', async (_, status, options: RequestOptions) => {
    expect((await reply('createDocument', options)).status).toBe(status);
  });

  it('holds for a full window, with its headers', async () => {
    const { api: free } = await app.account({ plan: 'free' });
    for (let request = 0; request < 10; request += 1)
      await reply('listDocuments', { client: free });
    const refused = await reply('listDocuments', { client: free });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBeDefined();
  });

  it('holds for a method that a path does not support', async () => {
    const response = await api.send('PUT', '/v1/documents');
    expect(response.status).toBe(405);
    document.expectDescribed('listDocuments', response);
  });
});

function examplesOf(operationId: string): unknown[] {
  const { content } = document.operation(operationId).requestBody as RequestBodyObject;
  const { examples = {}, example } = content['application/json'] as MediaTypeObject;
  const all = (Object.values(examples) as { value: unknown }[]).map(({ value }) => value);
  return example === undefined ? all : [...all, example];
}

async function newTemplate(body: object = { name: 'n', content: '{{client}}' }): Promise<string> {
  const { body: responded } = await reply('createTemplate', { body });
  return (responded as { data: { id: string } }).data.id;
}

describe('what the API document says about templates', () => {
  it('holds for every example of a body, and each is accepted', async () => {
    const id = await newTemplate();
    for (const [operationId, status] of [
      ['createTemplate', 201],
      ['previewTemplate', 200],
    ] as const) {
      const examples = examplesOf(operationId);
      expect(examples.length).toBeGreaterThan(1);
      for (const body of examples) {
        expect((await reply(operationId, { id, body })).status).toBe(status);
      }
    }
  });

  it('holds for templates: listed, read, unchanged, changed, replaced, deleted', async () => {
    const id = await newTemplate({ name: 'n', title: 't', variables: [{ name: 'unused' }] });
    expect((await reply('listTemplates', { query: '?limit=2&q=n&type=document' })).status).toBe(
      200,
    );
    expect((await reply('listTemplates')).body.data.length).toBeGreaterThan(5);
    expect((await reply('readTemplate', { id })).status).toBe(200);
    const headers = { 'if-none-match': '"1"' };
    expect((await reply('readTemplate', { id, headers })).status).toBe(304);
    const patched = await reply('patchTemplate', { id, body: { content: '{{x}}', title: null } });
    expect([patched.status, patched.body.meta.warnings.length]).toEqual([200, 2]);
    const stale = { id, headers: { 'if-match': '"1"' } };
    for (const operationId of ['patchTemplate', 'replaceTemplate']) {
      expect((await reply(operationId, { ...stale, body: { name: 'm' } })).status).toBe(412);
    }
    for (const operationId of ['deleteTemplate', 'restoreTemplateVersion']) {
      expect((await reply(operationId, stale)).status).toBe(412);
    }
    expect((await reply('replaceTemplate', { id, body: { name: 'm' } })).status).toBe(200);
    expect((await reply('deleteTemplate', { id })).status).toBe(200);
  });

  it('holds for versions and their restoration', async () => {
    const id = await newTemplate();
    await reply('patchTemplate', { id, body: { description: 'd' } });
    expect((await reply('listTemplateVersions', { id, query: '?limit=1' })).status).toBe(200);
    expect((await reply('readTemplateVersion', { id })).status).toBe(200);
    expect((await reply('restoreTemplateVersion', { id })).status).toBe(200);
    expect((await reply('readTemplateVersion', { id, number: '9' })).status).toBe(404);
  });

  it('holds for refusals', async () => {
    const id = await newTemplate();
    expect((await reply('createTemplate', { body: {} })).status).toBe(400);
    expect((await reply('patchTemplate', { id, body: { name: '' } })).status).toBe(400);
    const unknown = { templateVariables: { x: 1 } };
    expect((await reply('previewTemplate', { id, body: unknown })).status).toBe(400);
    expect((await reply('listTemplates', { query: '?sort=x' })).status).toBe(400);
    for (const operationId of [
      'readTemplate',
      'deleteTemplate',
      'previewTemplate',
      'listTemplateVersions',
    ]) {
      expect((await reply(operationId, { id: 'tmpl_x', body: {} })).status).toBe(404);
    }
  });

  it('holds for a document created from one, with its warnings', async () => {
    const templateId = await newTemplate({ name: 'n', title: 't', content: '{{a}}{{b}}' });
    const body = { templateId, templateVariables: { a: 1 } };
    const made = await reply('createDocument', { body });
    expect([made.status, made.body.meta.warnings.length]).toEqual([201, 1]);
    expect((await reply('createDocument', { body: { templateId: 'tmpl_x' } })).status).toBe(400);
  });
});
