import type { OpenAPIObject, MediaTypeObject, OperationObject } from '@nestjs/swagger';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { ReleaseExecution } from '../../src/features/releases/release-execution.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { EVENT_TYPES } from '../../src/features/events/catalogue/catalogue.js';
import { EVENT_TYPE_DESCRIPTIONS } from '../../src/features/events/catalogue/event-types.js';
import { WordListProvider } from '../analysis/word-list-provider.js';
import { ApiDocument } from '../openapi/api-document.js';
import { exampleOf } from '../openapi/schema-example.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { endOf } from '../support/jobs.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

interface ShownType {
  type: string;
  description: string;
  schema: string;
  payload: object;
}

let app: TestApp;
let api: ApiClient;
let receiver: WebhookReceiver;
let document: ApiDocument;
/** The last delivered event of each type. */
let delivered: Map<string, object>;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all' },
    overrides: [[AnalysisProviders, new WordListProvider()]],
    stopClock: false,
  });
  receiver = await WebhookReceiver.start();
  ({ api } = await app.account());
  const { body } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
  await api.registerWebhook({ url: receiver.url, events: ['*'], description: 'All' });
  await makeEveryEvent();
  const isThere = (type: string) => receiver.received.some(({ event }) => event.type === type);
  await receiver.until(() => EVENT_TYPES.every(isThere), 60_000);
  delivered = new Map(receiver.received.map(({ event }) => [String(event.type), event as object]));
}, 90_000);
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const idOf = ({ body }: ApiResponse) => (body as { data: { id: string } }).data.id;

const REPORT = {
  title: 'Report',
  content: 'All is well here.',
  metadata: { tags: ['finance'], department: 'Sales', project: 'Apollo' },
  aiSettings: { autoEnhance: false, suggestionLevel: 'medium', language: 'en' },
};

/** Turns publishing off again, because the events of other documents then have no optional members. */
async function publishAndUnpublish(): Promise<void> {
  const id = idOf(await api.createDocument(REPORT));
  await api.send('PUT', '/v1/publishing', { body: { enabled: true } });
  await api.send('POST', `/v1/documents/${id}/publish`);
  await api.send('POST', `/v1/documents/${id}/unpublish`);
  await publishRelease();
  await failRelease();
  await api.send('PUT', '/v1/publishing', { body: { enabled: false } });
  await receiver.until(() =>
    receiver.received.some(({ event }) => event.type === 'document.unpublished'),
  );
}

async function newRelease(body: object = {}): Promise<{ id: string; document: string }> {
  const document = idOf(await api.createDocument(REPORT));
  const items = [{ id: document, action: 'publish' }];
  const release = { title: 'Autumn campaign', timeZone: 'Europe/Berlin', items, ...body };
  return { id: idOf(await api.send('POST', '/v1/releases', { body: release })), document };
}

async function publishRelease(): Promise<void> {
  const { id } = await newRelease();
  await api.send('POST', `/v1/releases/${id}/publish`);
}

/** Archives the document of a scheduled release, whose time comes a moment later. */
async function failRelease(): Promise<void> {
  const { id, document } = await newRelease({ publishAt: '2030-01-15T08:00:00Z' });
  await api.patchDocument(document, { status: 'archived' });
  const publishAt = new Date(Date.now() + 1_000).toISOString();
  await app.dataSource.query('UPDATE releases SET publish_at = $2, due_at = $2 WHERE id = $1', [
    decodeId('release', id),
    publishAt,
  ]);
  const task = app.app.get(ReleaseExecution, { strict: false });
  await eventually(() => task.runBatch(), Boolean);
}

async function makeEveryEvent(): Promise<void> {
  await publishAndUnpublish();
  const id = idOf(await api.createDocument(REPORT));
  await done(await api.analyzeDocument(id, {}));
  await api.patchDocument(id, { content: 'teh teh teh definately' });
  await done(await api.analyzeDocument(id, {}));
  await done(await api.enhanceDocument(id, {}));
  for (const status of ['in_review', 'published', 'archived']) {
    await api.patchDocument(id, { status });
  }
  await api.deleteDocument(id);
  await api.restoreDocument(id);
  const changes = { title: 'Final report', message: 'A better title.' };
  const proposal = idOf(await api.send('POST', `/v1/documents/${id}/proposals`, { body: changes }));
  await api.rejectSuggestions(id, proposal, { suggestionIds: 'all' });
  const limited = { name: 'Build server', scopes: ['documents:read'], limits: { day: 1 } };
  const created = await api.send('POST', '/v1/keys', { body: limited });
  await app.api((created.body.data as { key: string }).key).listDocuments();
  const collection = await api.send('POST', '/v1/collections', { body: { name: 'Reports' } });
  const path = `/v1/collections/${idOf(collection)}`;
  await api.send('PATCH', path, { body: { name: 'Quarterly reports' } });
  const access = { everyone: 'viewer', people: [] };
  await api.send('PUT', `${path}/access`, { body: { access } });
  await api.send('DELETE', path);
  const other = { url: receiver.url, events: ['webhook.test'], description: 'Other' };
  const webhook = idOf(await api.registerWebhook(other));
  await api.testWebhook(webhook);
  // A disabled webhook never gets its missed events.
  await receiver.until(() => receiver.received.some(({ event }) => event.type === 'webhook.test'));
  await api.patchWebhook(webhook, { status: 'disabled' });
}

async function done(response: ApiResponse): Promise<void> {
  if (response.status === 202) await endOf(api, response);
}

function deliveryOf(type: string): MediaTypeObject {
  const { post } = document.content.webhooks?.[type] as { post: OperationObject };
  const { requestBody } = post as { requestBody: { content: Record<string, MediaTypeObject> } };
  return requestBody.content['application/json'] ?? {};
}

/** Returns the dotted paths of all members. Counts by name are only checked for existence. */
function membersOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  if (/issueCounts$|bySeverity$|byCategory$/.test(path)) return [path];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, `${path}.${name}`));
}

describe('the events that the API document describes', () => {
  it('the events that the API document describes are exactly those of the catalogue', () => {
    expect(Object.keys(document.content.webhooks ?? {}).sort()).toEqual([...EVENT_TYPES].sort());
  });

  it.each(EVENT_TYPES)('%s is delivered according to its schema, with no other field', (type) => {
    const { schema } = deliveryOf(type) as { schema: { $ref: string } };
    document.expectValid(schema.$ref.slice(1), delivered.get(type));
  });

  it.each(EVENT_TYPES)('%s has an example with exactly the fields of a delivered one', (type) => {
    const { schema } = deliveryOf(type) as { schema: { $ref: string } };
    const example = EVENT_TYPE_DESCRIPTIONS.find((event) => event.type === type)?.payload;
    expect(membersOf(example).sort()).toEqual(membersOf(delivered.get(type)).sort());
    document.expectValid(schema.$ref.slice(1), example);
  });

  it.each(EVENT_TYPES)(
    '%s has examples in its schema, of which tools compose a payload',
    (type) => {
      const { schema } = deliveryOf(type) as { schema: { $ref: string } };
      const example = exampleOf(schema, document.content.components?.schemas ?? {});
      document.expectValid(schema.$ref.slice(1), example);
    },
  );

  it('the events that the API document describes say what changed, if something did', () => {
    const changes = EVENT_TYPES.filter((type) => 'changes' in dataOf(delivered.get(type)));
    expect(changes).toEqual([
      'document.updated',
      'document.status_changed',
      'document.published',
      'document.archived',
      'collection.updated',
    ]);
  });
});

function dataOf(event: unknown): object {
  return (event as { data: object }).data;
}

describe('GET /v1/event-types', () => {
  it('GET /v1/event-types returns the same list: each type, when it is sent, its schema and the example', async () => {
    const response = await api.send('GET', '/v1/event-types?limit=100');
    const types = expectSuccess(response) as ShownType[];
    document.expectDescribed('listEventTypes', response);
    expect(types.map(({ type }) => type)).toEqual(EVENT_TYPES);
    for (const { type, description, schema, payload } of types) {
      expect(deliveryOf(type)).toEqual({ schema: { $ref: `#/components/schemas/${schema}` } });
      expect(payload).toEqual(
        EVENT_TYPE_DESCRIPTIONS.find((event) => event.type === type)?.payload,
      );
      expect(description).toMatch(/^\w.*\.$/);
    }
  });

  it('GET /v1/event-types is paged like every list', async () => {
    const all = EVENT_TYPES.length;
    const pages = Math.ceil(all / 5);
    const response = await api.send('GET', `/v1/event-types?limit=5&page=${String(pages)}`);
    expect((expectSuccess(response) as unknown[]).length).toBe(all - 5 * (pages - 1));
    expect(response.body.meta.pagination).toEqual({
      page: pages,
      limit: 5,
      total: all,
      pages,
      hasMore: false,
      nextCursor: null,
    });
  });
});
