import type { OpenAPIObject } from '@nestjs/swagger';
import { makeKey } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { ApiDocument, samplePath, type Operation } from '../openapi/api-document.js';
import { bodyOf, QUERIES } from '../openapi/sample-requests.js';
import { acted, newDocument, patched, publishingAccount } from './publishing-api.js';

let app: TestApp;
let document: ApiDocument;
beforeAll(async () => {
  app = await startTestApp();
  const { body } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
});
afterAll(() => app.close());

const DRAFT = 'Zugspitze';
const PUBLISHED = 'Published text';

/** The operations that a reader of published versions can use, with and without documents. */
const FOR_READERS = [
  'countDocuments',
  'exportDocument',
  'listDocuments',
  'readDocument',
  'readDocumentByExternalId',
];
/** Tells every key whose it is. It has nothing of documents. */
const OWN_KEY = 'readMe';

const pathOf = (operation: Operation, id: string) =>
  samplePath(operation)
    .replaceAll(/doc_\w{26}/g, id)
    .replace(/(?<=by-external-id\/)[^/]+/, 'guide')
    .replace(/(?<=versions\/)[^/]+/, '2') + (QUERIES[operation.operationId] ?? '');

/** Returns an account with a published document whose title, text, tag and metadata were changed since, and a draft. */
async function editedAccount() {
  const account = await publishingAccount(app);
  const { api } = account;
  const guide = await newDocument(api, {
    title: PUBLISHED,
    content: PUBLISHED,
    externalId: 'guide',
    metadata: { tags: ['open'] },
  });
  await acted(api, guide, 'publish');
  await patched(api, guide, {
    title: DRAFT,
    content: DRAFT,
    type: 'report',
    metadata: { tags: [DRAFT], department: DRAFT },
  });
  await newDocument(api, { title: DRAFT, content: DRAFT, metadata: { tags: [DRAFT] } });
  return { ...account, guide };
}

describe('who reads only published versions', () => {
  it.each(['key', 'browser token'])(
    'with a %s, reaches only operations for readers, without a byte of drafts',
    async (kind) => {
      const account = await editedAccount();
      const client = app.api(await credentialOf(kind, account));
      const problems: object[] = [];
      const reached: string[] = [];
      for (const operation of document.operations()) {
        const { operationId, method, security } = operation;
        if (security?.length === 0) continue;
        const body = bodyOf(operation);
        const path = pathOf(operation, account.guide.id);
        const { status, text } = await client.send(method, path, body && { body });
        const hasAddress = operationId !== OWN_KEY && text.includes(account.user.email);
        if (text.includes(DRAFT) || hasAddress) problems.push({ operationId, leak: text });
        if (status === 403) continue;
        reached.push(operationId);
        if (status !== 200) problems.push({ operationId, status, text });
      }
      expect(problems).toEqual([]);
      const forBrowsers = ['exportDocument', 'listDocuments', 'readDocument'];
      expect(reached.sort()).toEqual(
        kind === 'key' ? [...FOR_READERS, OWN_KEY].sort() : forBrowsers,
      );
    },
  );

  it.each(['key', 'browser token'])('with a %s, finds no word of drafts', async (kind) => {
    const account = await editedAccount();
    const client = app.api(await credentialOf(kind, account));
    for (const query of ['q', 'tag', 'department', 'title', 'metadata.department']) {
      const response = await client.send('GET', `/v1/documents?${query}=${DRAFT}`);
      if (response.status === 200) expect([query, response.body.data]).toEqual([query, []]);
      else expect([query, response.status]).toEqual([query, 400]);
    }
    for (const query of ['type=report', 'status=draft', 'unpublishedChanges=true']) {
      const response = await client.send('GET', `/v1/documents?${query}`);
      expect(response.text).not.toContain(PUBLISHED);
    }
    const asked = await client.send('GET', '/v1/documents?include=content&perspective=draft');
    expect(asked.status).toBe(400);
    expect((expectSuccess(await client.listDocuments()) as object[]).length).toBe(1);
  });
});

async function credentialOf(
  kind: string,
  account: { api: ApiClient; accountId: string; userId: string },
): Promise<string> {
  const scopes = ['documents:read_published' as const];
  if (kind === 'key') return (await makeKey(app.dataSource, account, { scopes })).key;
  // A tag that the document has no more.
  const body = { scopes, documents: { tags: ['open'] } };
  const created = expectSuccess(await account.api.send('POST', '/v1/tokens', { body }), 201);
  return (created as { token: string }).token;
}
