import type { OpenAPIObject } from '@nestjs/swagger';
import type { Scope } from '../../src/features/auth/scopes.js';
import type { BrowserTokenDto } from '../../src/features/keys/browser-tokens/browser-token.dto.js';
import { entriesOf } from '../audit/audit-api.js';
import { ApiDocument, samplePath, type Operation } from '../openapi/api-document.js';
import { bodyOf, QUERIES } from '../openapi/sample-requests.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { newCollection, UNKNOWN } from '../collections/collections-api.js';
import { newDocument } from '../collections/restricted-folder.js';
import { FakeSessionsModule, signIn } from './fake-sessions.js';

let app: TestApp;
let document: ApiDocument;
beforeAll(async () => {
  app = await startTestApp({ modules: [FakeSessionsModule] });
  const { body } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
});
afterAll(() => app.close());

const ALL: Scope[] = ['documents:read', 'documents:suggest', 'documents:write'];
const SECRET = 'Zugspitze';

async function tokenOf({ api }: { api: ApiClient }, body: object = {}): Promise<string> {
  const sent = { scopes: ALL, documents: { tags: ['shared'] }, ...body };
  const { token } = expectSuccess(
    await api.send('POST', '/v1/tokens', { body: sent }),
    201,
  ) as BrowserTokenDto;
  return token ?? '';
}

const clientOf = async (account: { api: ApiClient }, body: object = {}) =>
  app.api(await tokenOf(account, body));

/** Creates a document with a proposal. Returns the IDs by prefix. */
async function fill(api: ApiClient, title: string, tags: string[]): Promise<Map<string, string>> {
  const body = { title, content: `${title} rises.`, externalId: title, metadata: { tags } };
  const { id } = expectSuccess(await api.createDocument(body), 201) as { id: string };
  const edits = [{ start: 0, end: 0, replacement: `${title}. ` }];
  const proposal = await api.send('POST', `/v1/documents/${id}/proposals`, { body: { edits } });
  return new Map([
    ['doc', id],
    ['enh', (expectSuccess(proposal, 201) as { id: string }).id],
  ]);
}

const pathOf = (operation: Operation, ids: Map<string, string>, externalId: string) =>
  samplePath(operation)
    .replaceAll(/([a-z]+)_\w{26}/g, (id, prefix: string) => ids.get(prefix) ?? id)
    .replace(/(?<=by-external-id\/)[^/]+/, externalId)
    .replace(/(?<=versions\/)[^/]+/, '1') + (QUERIES[operation.operationId] ?? '');

const isForBrowsers = ({ security = [] }: Operation) =>
  security.some((scheme) => 'browserToken' in scheme);

/** What a client can tell two responses apart by. */
const traitsOf = ({ status, body, headers }: ApiResponse) => ({
  status,
  error: body?.error as unknown,
  headers: Object.keys(headers).sort(),
});

describe('a browser token', () => {
  it('reaches only declared operations; a document outside is like an unknown one, without a byte of it', async () => {
    const account = await app.account();
    const inside = await fill(account.api, 'Inside', ['shared']);
    const outside = await fill(account.api, SECRET, ['private']);
    const client = await clientOf(account);
    const problems: object[] = [];
    const reached: string[] = [];
    for (const operation of document.operations()) {
      const { operationId, method, path, security } = operation;
      if (security?.length === 0) continue;
      const body = bodyOf(operation);
      const send = (ids: Map<string, string>, externalId: string) =>
        client.send(method, pathOf(operation, ids, externalId), body && { body });
      const foreign = await send(outside, SECRET);
      const unknown = await send(new Map(), 'Unknown');
      if (foreign.text.includes(SECRET)) problems.push({ operationId, leak: foreign.text });
      if (!isForBrowsers(operation)) {
        for (const { status, text } of [foreign, unknown, await send(inside, 'Inside')]) {
          if (status !== 403) problems.push({ operationId, status, text });
        }
        continue;
      }
      reached.push(operationId);
      if (path.includes('{')) {
        expect({ operationId, ...traitsOf(foreign) }).toEqual({
          operationId,
          ...traitsOf(unknown),
        });
        if (foreign.status !== 404) problems.push({ operationId, status: foreign.status });
      }
      const { status, text } = await send(inside, 'Inside');
      if ([401, 403, 404].includes(status)) problems.push({ operationId, status, text });
    }
    expect(problems).toEqual([]);
    expect(reached.sort()).toEqual([
      'diffVersion',
      'editDocument',
      'exportDocument',
      'listDocuments',
      'listEnhancements',
      'listVersions',
      'patchDocument',
      'proposeChanges',
      'readDocument',
      'readEnhancement',
      'readVersion',
      'withdrawProposal',
    ]);
  });

  it('lists, finds and counts only its documents', async () => {
    const account = await app.account();
    const ids: string[] = [];
    for (const n of [1, 2, 3]) {
      const inside = await fill(account.api, `Inside ${String(n)}`, ['shared', `n${String(n)}`]);
      ids.push(inside.get('doc') ?? '');
      await fill(account.api, `${SECRET} ${String(n)}`, ['private']);
    }
    const byTag = await clientOf(account, { documents: { tags: ['n1', 'n2', 'unused'] } });
    const byId = await clientOf(account, { documents: { ids: [ids[2]] } });
    const totalOf = async (client: ApiClient, query = {}) => {
      const { body, text } = await client.listDocuments({ include: 'content', ...query });
      expect(text).not.toContain(SECRET);
      return [body.meta.pagination.total, body.data.length] as unknown;
    };
    expect(await totalOf(byTag)).toEqual([2, 2]);
    expect(await totalOf(byTag, { limit: 1 })).toEqual([2, 1]);
    expect(await totalOf(byTag, { limit: 1, page: 2, sort: 'title' })).toEqual([2, 1]);
    expect(await totalOf(byTag, { type: 'document' })).toEqual([2, 2]);
    expect(await totalOf(byTag, { tag: 'n2' })).toEqual([1, 1]);
    expect(await totalOf(byTag, { tag: 'private' })).toEqual([0, 0]);
    expect(await totalOf(byTag, { q: SECRET })).toEqual([0, 0]);
    expect(await totalOf(byId)).toEqual([1, 1]);
    expect(await totalOf(byId, { ids: ids[0] ?? '' })).toEqual([0, 0]);
  });

  it('does not see a document any more once its tag is gone, not even in a replay', async () => {
    const account = await app.account();
    const ids = await fill(account.api, 'Inside', ['shared']);
    const id = ids.get('doc') ?? '';
    const client = await clientOf(account);
    const once = { 'Idempotency-Key': 'once' };
    const body = { edits: [{ op: 'replace', find: 'rises', with: 'falls' }] };
    const edit = () => client.send('POST', `/v1/documents/${id}/edits`, { body, headers: once });
    expectSuccess(await edit());
    expect((await edit()).headers['idempotency-replayed']).toBe('true');
    expectSuccess(await account.api.patchDocument(id, { metadata: { tags: ['private'] } }));
    expectFailure(await client.readDocument(id), 404, 'NOT_FOUND');
    expectFailure(await edit(), 404, 'NOT_FOUND');
    expect((await client.listDocuments()).body.meta.pagination.total).toBe(0);
    expectSuccess(await account.api.patchDocument(id, { metadata: { tags: ['shared'] } }));
    expectSuccess(await edit());
  });

  it('for some documents cannot move them, so a page does not decide who reads them', async () => {
    const account = await app.account();
    const [from, to] = [await newCollection(account.api), await newCollection(account.api)];
    const below = await newCollection(account.api, 'Below', from.id);
    const id = await newDocument(account.api, from.id, { metadata: { tags: ['shared'] } });
    const move = (client: ApiClient, collectionId: string | null) =>
      client.patchDocument(id, { title: 'New', collectionId });
    for (const limits of [
      {},
      { documents: { ids: [id] } },
      { documents: { ids: [id] }, collections: [from.id] },
    ]) {
      const client = await clientOf(account, limits);
      for (const target of [to.id, below.id, UNKNOWN, null]) {
        const refused = await move(client, target);
        expectFailure(refused, 403, 'FORBIDDEN');
        expect(refused.body.error.details).toMatchObject({ field: 'collectionId' });
      }
      expectSuccess(await move(client, from.id));
    }
    // A token for collections moves documents between them.
    const ofFolder = await clientOf(account, { documents: undefined, collections: [from.id] });
    expectFailure(await move(ofFolder, to.id), 400, 'INVALID_REQUEST');
    expectSuccess(await move(ofFolder, below.id));
  });

  it('does not learn which other document has an external ID', async () => {
    const account = await app.account();
    const id = (await fill(account.api, 'Inside', ['shared'])).get('doc') ?? '';
    const other = (await fill(account.api, SECRET, [])).get('doc') ?? '';
    const change = { externalId: SECRET };
    const refused = await (await clientOf(account)).patchDocument(id, change);
    expectFailure(refused, 409, 'INVALID_REQUEST');
    expect(refused.text).not.toContain(other);
    expect((await account.api.patchDocument(id, change)).text).toContain(other);
  });

  it('gets its own answer to an Idempotency-Key that another token of the key has used', async () => {
    const account = await app.account();
    const id = (await fill(account.api, 'Inside', ['shared'])).get('doc') ?? '';
    const propose = async (client: ApiClient, replacement: string) => {
      const body = { edits: [{ start: 0, end: 0, replacement }] };
      const headers = { 'Idempotency-Key': 'same' };
      return client.send('POST', `/v1/documents/${id}/proposals`, { body, headers });
    };
    const one = await propose(await clientOf(account), 'One. ');
    const other = await propose(await clientOf(account), 'Other. ');
    expectSuccess(one, 201);
    expectSuccess(other, 201);
    expect(other.headers).not.toHaveProperty('idempotency-replayed');
    expect(other.body.data.id).not.toBe(one.body.data.id);
  });

  it('ends with its key, at its expiry, and loses the scopes that the key loses', async () => {
    const account = await app.account();
    const { key } = await app.anotherKey(account, { scopes: [...ALL, 'tokens:write'] });
    const holder = { api: app.api(key) };
    const id = (await fill(account.api, 'Inside', ['shared'])).get('doc') ?? '';
    const client = await clientOf(holder);
    const expired = await clientOf(holder, { expiresInSeconds: 60 });
    expectSuccess(await expired.readDocument(id));
    await app.dataSource.query(
      `UPDATE access_tokens SET expires_at = created_at WHERE expires_at <= created_at + interval '60 s'`,
    );
    expectFailure(await expired.readDocument(id), 401, 'UNAUTHORIZED');
    const publicKey = (await holder.api.send('GET', '/v1/me')).body.data.key.id as string;
    const patch = { scopes: ['documents:read', 'tokens:write'] };
    expectSuccess(await account.api.send('PATCH', `/v1/keys/${publicKey}`, { body: patch }));
    expectFailure(await client.patchDocument(id, { title: 'x' }), 403, 'FORBIDDEN');
    expectSuccess(await client.readDocument(id));
    expectSuccess(await account.api.send('DELETE', `/v1/keys/${publicKey}`));
    expectFailure(await client.readDocument(id), 401, 'UNAUTHORIZED');
  });

  it('works from any address, also if its key does not', async () => {
    const account = await app.account();
    const { key } = await app.anotherKey(account);
    const bound = app.api(key);
    const id = (await fill(account.api, 'Inside', ['shared'])).get('doc') ?? '';
    const client = await clientOf({ api: bound });
    const publicKey = (await bound.send('GET', '/v1/me')).body.data.key.id as string;
    const body = { allowedIps: ['192.0.2.7'] };
    expectSuccess(await account.api.send('PATCH', `/v1/keys/${publicKey}`, { body }));
    expectFailure(await bound.readDocument(id), 401, 'UNAUTHORIZED');
    expectSuccess(await client.readDocument(id));
  });

  it('counts for its own limit, and its label is in the audit log and the request log', async () => {
    const account = await app.account();
    const id = (await fill(account.api, 'Inside', ['shared'])).get('doc') ?? '';
    const client = await clientOf(account, { minuteLimit: 2, label: 'visitor-1' });
    expectSuccess(await client.patchDocument(id, { title: 'Inside, changed' }));
    expectSuccess(await client.readDocument(id));
    const refused = await client.readDocument(id);
    expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(refused.body.error.details).toMatchObject({ of: 'token' });
    const entries = await entriesOf(account.api);
    expect(entries.find(({ action }) => action === 'document.update')?.details).toMatchObject({
      tokenLabel: 'visitor-1',
    });
    const created = entries.find(({ action }) => action === 'key.create_token');
    expect(created?.details).toMatchObject({ label: 'visitor-1', minuteLimit: 2 });
    await eventually(async () => {
      const { body } = await account.api.send('GET', '/v1/requests?status=429');
      return (body.data as { tokenLabel: string | null }[]).some(
        ({ tokenLabel }) => tokenLabel === 'visitor-1',
      );
    });
  });
});

describe('creating a browser token', () => {
  it('shows the token once, and only its hash is stored', async () => {
    const account = await app.account();
    const headers = { 'Idempotency-Key': 'token' };
    const body = { scopes: ['documents:read'], documents: { tags: ['a', 'a'] } };
    const create = () => account.api.send('POST', '/v1/tokens', { body, headers });
    const first = await create();
    document.expectDescribed('createToken', first);
    const { token, expiresAt } = expectSuccess(first, 201) as BrowserTokenDto;
    expect(token).toMatch(/^ds_bt_[0-9A-Za-z]{38}$/);
    expect(first.headers['cache-control']).toBe('no-store');
    const hour = 3_600_000;
    expect(new Date(expiresAt).getTime() - app.clock.now().getTime()).toBe(hour);
    expect((await create()).body.data).toMatchObject({ token: null, documents: { tags: ['a'] } });
  });

  it.each([
    ['no documents', { documents: undefined }, 400, 'documents'],
    ['neither ids nor tags', { documents: {} }, 400, 'documents'],
    [
      'ids and tags',
      { documents: { ids: ['doc_01h455vb4pex5vsknk084sn02q'], tags: ['a'] } },
      400,
      'documents',
    ],
    ['a malformed id', { documents: { ids: ['x'] } }, 400, 'documents.ids'],
    ['no tag', { documents: { tags: [] } }, 400, 'documents.tags'],
    [
      '21 tags',
      { documents: { tags: Array.from({ length: 21 }, (_, n) => `t${String(n)}`) } },
      400,
      'documents.tags',
    ],
    ['another scope', { scopes: ['documents:delete'] }, 400, 'scopes'],
    ['59 seconds', { expiresInSeconds: 59 }, 400, 'expiresInSeconds'],
    ['more than a day', { expiresInSeconds: 86_401 }, 400, 'expiresInSeconds'],
    ['a limit of 0', { minuteLimit: 0 }, 400, 'minuteLimit'],
    ['a label of two lines', { label: 'a\nb' }, 400, 'label'],
  ])('is refused with %s', async (_, change, status, field) => {
    const { api } = await app.account();
    const body = { scopes: ['documents:read'], documents: { tags: ['a'] }, ...change };
    const refused = await api.send('POST', '/v1/tokens', { body });
    expectFailure(refused, status, 'INVALID_REQUEST');
    expect(String(refused.body.error.details.field)).toContain(field);
  });

  it('is refused with scopes that the key lacks, by people, and with a browser token', async () => {
    const account = await app.account();
    const { key } = await app.anotherKey(account, { scopes: ['documents:read', 'tokens:write'] });
    const body = { scopes: ['documents:write'], documents: { tags: ['a'] } };
    const create = (client: Pick<ApiClient, 'send'>) => client.send('POST', '/v1/tokens', { body });
    const beyond = await create(app.api(key));
    expectFailure(beyond, 403, 'FORBIDDEN');
    expect(beyond.body.error.details.requiredScopes).toEqual(['documents:write']);
    const person = await signIn(app, account, 'owner');
    const refused = await person.send('POST', '/v1/tokens', { body });
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.message).toMatch(/^Only an API key/);
    expectFailure(await create(await clientOf(account)), 403, 'FORBIDDEN');
  });
});

describe('a web page of any origin', () => {
  const origin = 'https://shop.example';

  it('can send browser tokens to the operations that are for them, and to no other', async () => {
    const problems: object[] = [];
    for (const operation of document.operations()) {
      const { method, operationId, path, security } = operation;
      if (security?.length === 0 || path.startsWith('/v1/documents')) {
        if (!isForBrowsers(operation)) continue;
      }
      const { status, headers } = await app.api().send('OPTIONS', samplePath(operation), {
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization',
        },
      });
      const isAllowed = status === 204 && headers['access-control-allow-origin'] === '*';
      const allowed = String(headers['access-control-allow-methods']).split(',');
      if (isAllowed && isForBrowsers(operation) && !allowed.includes(method)) {
        problems.push({ operationId, allowed });
      }
      if (isAllowed !== isForBrowsers(operation)) problems.push({ operationId, status });
    }
    expect(problems).toEqual([]);
  });

  it('can read the responses to a browser token, but not those to an API key', async () => {
    const account = await app.account();
    const id = (await fill(account.api, 'Inside', ['shared'])).get('doc') ?? '';
    const shown = await (await clientOf(account)).readDocument(id, { origin });
    expect(shown.headers['access-control-allow-origin']).toBe('*');
    expect(shown.headers['access-control-expose-headers']).toContain('ETag');
    const hidden = await account.api.readDocument(id, { origin });
    expect(hidden.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
