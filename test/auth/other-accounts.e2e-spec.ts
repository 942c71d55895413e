import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument, samplePath } from '../openapi/api-document.js';
import { bodyOf, QUERIES } from '../openapi/sample-requests.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';

/** These address what belongs to the caller's own account: style rules by number, and a new document by external ID. */
const OF_OWN_ACCOUNT = [
  'readStyleRules',
  'activateStyleRules',
  'dryRunStyleRules',
  'putDocumentByExternalId',
];

/** Keys get 403 from it, whatever the ID. */
const FOR_PEOPLE = 'endAuthorization';
const ID = /([a-z]+)_\w{26}/g;
/** Operations that are also called with malformed IDs. */
const READ_BY_ID = /^(?:read|patch|delete)(?:Document|Collection|Webhook|Template|Event|Key)$/;

let app: TestApp;
let document: ApiDocument;
beforeAll(async () => {
  app = await startTestApp();
  const { body } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
});
afterAll(() => app.close());

interface Item {
  id: string;
}

/** Creates a resource of each kind. Returns their IDs by prefix. */
async function fill(api: ApiClient): Promise<Map<string, string>> {
  const webhook = { url: 'https://example.com/hook', events: ['*'] };
  const bodies: [string, string, object | undefined][] = [
    ['POST', '/v1/webhooks', webhook],
    ['POST', '/v1/documents', { title: 'Theirs', content: 'x', externalId: 'theirs' }],
    ['POST', '/v1/collections', { name: 'Theirs' }],
    ['POST', '/v1/templates', { name: 'Theirs' }],
    ['POST', '/v1/keys', { name: 'Theirs', scopes: ['documents:read'] }],
    ['POST', '/v1/account/export', undefined],
  ];
  const ids: string[] = [];
  for (const [method, path, body] of bodies) {
    const { body: envelope, status } = await api.send(method, path, body && { body });
    expect({ path, status }).toEqual({ path, status: path.endsWith('export') ? 202 : 201 });
    ids.push((envelope.data as Item).id);
  }
  const [webhookId = ''] = ids;
  for (const path of ['/v1/events', '/v1/audit', `/v1/webhooks/${webhookId}/deliveries`]) {
    const [item] = expectSuccess(await api.send('GET', path)) as Item[];
    ids.push(item?.id ?? '');
  }
  return new Map(ids.map((id) => [id.replace(/_.*/, ''), id]));
}

/** Returns everything that the account can list. */
async function everything(api: ApiClient): Promise<unknown> {
  const lists = [
    'documents?include=content',
    'collections',
    'webhooks',
    'templates',
    'keys',
    'jobs',
  ];
  return Promise.all(
    lists.map(async (list) => {
      const { body } = await api.send('GET', `/v1/${list}`);
      return body.data as unknown;
    }),
  );
}

const withoutIds = (text: string) => text.replaceAll(/_\w{26}/g, '_…');

/** What a client can tell two responses apart by. */
function traitsOf({ status, body, headers }: ApiResponse): object {
  return { status, error: withoutIds(JSON.stringify(body.error)), headers: Object.keys(headers) };
}

it('A resource of another account gets the same response as an unknown or malformed ID, from every operation, and does not change', async () => {
  const [owner, stranger] = [await app.account(), await app.account()];
  const ids = await fill(owner.api);
  const before = await everything(owner.api);
  const problems: object[] = [];
  for (const operation of document.operations()) {
    const { method, operationId, path } = operation;
    if (!path.includes('{') || operationId === FOR_PEOPLE) continue;
    if (OF_OWN_ACCOUNT.includes(operationId)) continue;
    const body = bodyOf(operation);
    const query = QUERIES[operationId] ?? '';
    const send = (to: string) => stranger.api.send(method, to + query, body && { body });
    const unknown = samplePath(operation);
    const foreign = unknown
      .replaceAll(ID, (id, prefix: string) => ids.get(prefix) ?? id)
      .replace(/(?<=by-external-id\/)[^/]+/, 'theirs');
    const response = await send(foreign);
    if (response.status !== 404) problems.push({ operationId, text: response.text });
    const same = [unknown];
    if (READ_BY_ID.test(operationId)) {
      for (const id of ['x', 'usr_01h455vb4pex5vsknk084sn02q', '%F0%9F%98%80', '%00'])
        same.push(unknown.replace(ID, id));
    }
    for (const other of same) {
      expect({ other, ...traitsOf(await send(other)) }).toEqual({ other, ...traitsOf(response) });
    }
  }
  expect(problems).toEqual([]);
  expect(await everything(owner.api)).toEqual(before);
});
