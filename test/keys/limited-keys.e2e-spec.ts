import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { LIMITABLE_SCOPES, SCOPES } from '../../src/features/auth/scopes.js';
import { entriesOf } from '../audit/audit-api.js';
import {
  move,
  newCollection,
  newMember,
  pathOf,
  setAccess,
  UNKNOWN,
  type Collection,
} from '../collections/collections-api.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { endOf } from '../support/jobs.js';
import { KeysApi } from './keys-api.js';

let app: TestApp;
let account: Awaited<ReturnType<TestApp['account']>>;
let owner: ApiClient;
let keys: KeysApi;
let inside: Collection;
let below: Collection;
let outside: Collection;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  account = await app.account();
  owner = account.api;
  keys = new KeysApi(owner);
  inside = await newCollection(owner, 'Inside');
  below = await newCollection(owner, 'Below', inside.id);
  outside = await newCollection(owner, 'Outside');
});
afterAll(() => app.close());

interface Shown {
  id: string;
  title: string;
  collectionId: string | null;
  version: number;
}

/** The first analysis of a process loads the engine. */
const PATIENCE_MS = 240_000;

const SCOPES_OF_KEY = [...LIMITABLE_SCOPES];

/** Creates a key for some collections, with all scopes that it can have. */
async function limitedKey(
  collections: readonly Collection[] = [inside],
  body: object = {},
): Promise<{ id: string; key: string; api: ApiClient }> {
  const ids = collections.map(({ id }) => id);
  const { id, key } = await keys.made({ scopes: SCOPES_OF_KEY, collections: ids, ...body });
  return { id, key, api: app.api(key) };
}

async function newDocument(
  title: string,
  collection: Collection | null,
  body: object = {},
): Promise<Shown> {
  const sent = { title, content: `${title} is a text.`, collectionId: collection?.id ?? null };
  return expectSuccess(await owner.createDocument({ ...sent, ...body }), 201) as Shown;
}

const titlesOf = async (api: ApiClient): Promise<string[]> =>
  (expectSuccess(await api.listDocuments()) as Shown[]).map(({ title }) => title).sort();

/** Returns the fields that a refused request names. */
function fieldsOf(response: ApiResponse): string[] {
  expectFailure(response, 400, 'INVALID_REQUEST');
  const { problems } = response.body.error.details as { problems: { field: string }[] };
  return problems.map(({ field }) => field);
}

const collectionsOf = (response: ApiResponse) =>
  (expectSuccess(response) as { collections: string[] | null }).collections;

describe('the collections of a key', () => {
  it('are in every response about the key, and in the audit log', async () => {
    const ids = [inside.id, outside.id];
    const { id, api } = await limitedKey([inside, outside, inside], { name: 'Agent' });
    expect(collectionsOf(await keys.read(id))).toEqual(ids);
    const listed = expectSuccess(await keys.list()) as { id: string; collections: unknown }[];
    expect(listed.map((one) => [one.id, one.collections])).toContainEqual([id, ids]);
    expect(listed.filter((one) => one.collections === null)).toHaveLength(listed.length - 1);
    const me = expectSuccess(await api.send('GET', '/v1/me'));
    expect(me).toMatchObject({ key: { id, collections: ids } });
    const [created] = await entriesOf(owner, { action: 'key.create' });
    expect(created).toMatchObject({ details: { name: 'Agent', collections: ids } });
  });

  it('can be narrowed, replaced and removed by a key without a limit, from the next request on', async () => {
    await newDocument('In', inside);
    await newDocument('Out', outside);
    const { id, api } = await limitedKey([inside, outside]);
    expect(await titlesOf(api)).toEqual(['In', 'Out']);
    expect(collectionsOf(await keys.patch(id, { collections: [outside.id] }))).toEqual([
      outside.id,
    ]);
    expect(await titlesOf(api)).toEqual(['Out']);
    const [narrowed] = await entriesOf(owner, { action: 'key.update' });
    expect(narrowed).toMatchObject({
      details: { changes: ['collections'], collections: [outside.id] },
    });
    expect(collectionsOf(await keys.patch(id, { name: 'Other' }))).toEqual([outside.id]);
    expect(collectionsOf(await keys.patch(id, { collections: null }))).toBeNull();
    expect(await titlesOf(api)).toEqual(['In', 'Out']);
  });

  it('survive a rotation, also to a service account', async () => {
    await newDocument('In', inside);
    await newDocument('Out', outside);
    const { id } = await limitedKey();
    const service = expectSuccess(
      await owner.send('POST', '/v1/service-accounts', { body: { name: 'Agent', role: 'admin' } }),
      201,
    ) as { id: string };
    const first = await keys.rotated(id);
    const second = await keys.rotated(first.id, { serviceAccountId: service.id });
    for (const { collections, key } of [first, second]) {
      expect(collections).toEqual([inside.id]);
      expect(await titlesOf(app.api(key))).toEqual(['In']);
    }
  });

  it('must exist and be visible: the answers for unknown, deleted, foreign and malformed ones are equal', async () => {
    const stranger = await app.account();
    const foreign = await newCollection(stranger.api);
    const deleted = await newCollection(owner, 'Deleted');
    expectSuccess(await owner.send('DELETE', pathOf(deleted)));
    const { id } = await limitedKey();
    const texts = new Set<string>();
    for (const wrong of [UNKNOWN, deleted.id, foreign.id, 'col_1', inside.id.slice(4), '']) {
      const body = { name: 'Agent', scopes: ['documents:read'], collections: [inside.id, wrong] };
      for (const response of [
        await keys.create(body),
        await keys.patch(id, { collections: body.collections }),
      ]) {
        expect(fieldsOf(response)).toEqual(['collections[1]']);
        texts.add(JSON.stringify(response.body.error.details));
      }
    }
    expect(texts.size).toBe(1);
    for (const wrong of [[], 'all', [1], Array.from({ length: 21 }, () => inside.id)]) {
      expect(fieldsOf(await keys.create({ name: 'A', scopes: ['*'], collections: wrong }))).toEqual(
        ['collections'],
      );
    }
    expect(collectionsOf(await keys.read(id))).toEqual([inside.id]);
  });

  it('exclude every scope for the whole account, which the answer names', async () => {
    const others = SCOPES.filter((scope) => !SCOPES_OF_KEY.some((one) => one === scope));
    expect(others).toEqual(
      expect.arrayContaining([
        '*',
        'keys:read',
        'keys:write',
        'webhooks:read',
        'webhooks:write',
        'audit:read',
        'usage:read',
        'access:write',
      ]),
    );
    for (const scope of others) {
      const scopes = ['documents:read', scope];
      const refused = await keys.create({ name: 'Agent', scopes, collections: [inside.id] });
      expect(fieldsOf(refused)).toEqual(['scopes']);
      expect(refused.text).toContain(`contains ${scope}, for the whole account`);
      const { id } = await keys.made({ scopes });
      expect(fieldsOf(await keys.patch(id, { collections: [inside.id] }))).toEqual(['scopes']);
      const narrowed = { scopes: ['documents:read'], collections: [inside.id] };
      expect(collectionsOf(await keys.patch(id, narrowed))).toEqual([inside.id]);
    }
  });

  it('that are all deleted open nothing', async () => {
    const { id, api } = await limitedKey([below]);
    await newDocument('In', inside);
    expectSuccess(await owner.send('DELETE', pathOf(below)));
    expect(await titlesOf(api)).toEqual([]);
    expect(expectSuccess(await api.send('GET', '/v1/collections'))).toEqual([]);
    expect(collectionsOf(await keys.read(id))).toEqual([below.id]);
    for (const collectionId of [below.id, inside.id, null]) {
      const { status } = await api.createDocument({ title: 'New', content: '', collectionId });
      expect([400, 403, 404]).toContain(status);
    }
    // The list that the key has can be sent back, with other changes.
    expectSuccess(await keys.patch(id, { name: 'Old agent', collections: [below.id] }));
    await app.dataSource.query(`UPDATE api_keys SET collections = '{}' WHERE id = $1`, [
      decodeId('key', id),
    ]);
    expect(await titlesOf(api)).toEqual([]);
    expect(collectionsOf(await keys.read(id))).toEqual([]);
  });
});

describe('a key limited to collections', () => {
  it('cannot create, change, rotate or see keys and service accounts, even with a scope that it cannot get', async () => {
    const { id, api } = await limitedKey();
    const attempts = async (): Promise<number[]> => {
      const limited = new KeysApi(api);
      const responses = [
        await limited.create({ name: 'Agent', scopes: ['documents:read'] }),
        await limited.create({ name: 'A', scopes: ['documents:read'], collections: [inside.id] }),
        await limited.patch(id, { collections: null }),
        await limited.patch(id, { collections: [inside.id, outside.id] }),
        await limited.rotate(id),
        await limited.read(id),
        await limited.list(),
        await api.send('GET', '/v1/service-accounts'),
        await api.send('POST', '/v1/service-accounts', { body: { name: 'A', role: 'viewer' } }),
      ];
      return responses.map(({ status }) => status);
    };
    expect(new Set(await attempts())).toEqual(new Set([403]));
    await app.dataSource.query(`UPDATE api_keys SET scopes = '{*}' WHERE id = $1`, [
      decodeId('key', id),
    ]);
    expect(new Set(await attempts())).toEqual(new Set([403]));
    expect(collectionsOf(await keys.read(id))).toEqual([inside.id]);
  });

  it('reads itself, templates and event types, but no settings of the account', async () => {
    const { api } = await limitedKey();
    for (const path of ['/v1/me', '/v1/templates', '/v1/event-types'])
      expectSuccess(await api.send('GET', path));
    for (const path of ['/v1/dictionary', '/v1/style-rules', '/v1/analysis-settings'])
      expectFailure(await api.send('GET', path), 403, 'FORBIDDEN');
  });

  it(
    'analyzes its documents with the dictionary of the account',
    async () => {
      const worker = await startTestApp({
        environment: { PROCESS_ROLE: 'all' },
        databaseUrl: (app.dataSource.options as { url: string }).url,
      });
      const document = await newDocument('In', inside, {
        content: 'It is definately here.',
      });
      const { api } = await limitedKey();
      const spelling = async () => {
        const started = await api.analyzeDocument(document.id, {});
        if (started.status === 202) await endOf(owner, started, PATIENCE_MS);
        const { issues } = expectSuccess(await api.analyzeDocument(document.id, {})) as {
          issues: { original: string }[];
        };
        return issues.some(({ original }) => original === 'definately');
      };
      expect(await spelling()).toBe(true);
      const added = await owner.send('POST', '/v1/dictionary/add', {
        body: { words: ['definately'] },
      });
      expect([200, 201]).toContain(added.status);
      expect(await spelling()).toBe(false);
      await worker.close();
    },
    PATIENCE_MS,
  );
});

describe('a key limited to collections has no way up', () => {
  let api: ApiClient;
  let own: Shown;
  let foreign: Shown;
  beforeEach(async () => {
    ({ api } = await limitedKey());
    own = await newDocument('Own', inside, { externalId: 'own' });
    foreign = await newDocument('Foreign', outside, { externalId: 'foreign' });
  });

  const places = [() => outside.id, () => null, () => undefined, () => UNKNOWN];

  /** Checks that nothing has been created outside, and that the documents are where they were. */
  async function expectNothingMoved(): Promise<void> {
    const all = expectSuccess(await owner.listDocuments({ limit: 100 })) as Shown[];
    const strays = all.filter(({ id, collectionId }) =>
      id === foreign.id
        ? collectionId !== outside.id
        : collectionId !== inside.id && collectionId !== below.id,
    );
    expect(strays).toEqual([]);
    expect(expectSuccess(await owner.readDocument(foreign.id))).toMatchObject({
      title: 'Foreign',
      version: 1,
    });
  }

  it('by creating, importing, copying, moving or replacing', async () => {
    for (const place of places) {
      const collectionId = place();
      const body = {
        title: 'New',
        content: 'New.',
        ...(collectionId !== undefined && { collectionId }),
      };
      for (const response of [
        await api.createDocument(body),
        await api.importDocument(
          { name: 'new.md', type: 'text/markdown', content: '# New' },
          typeof collectionId === 'string' ? { collectionId } : {},
        ),
        ...(collectionId === undefined
          ? []
          : [
              await api.send('POST', `/v1/documents/${own.id}/copy`, { body: { collectionId } }),
              await api.patchDocument(own.id, { collectionId }),
              await api.replaceDocument(own.id, body),
            ]),
      ])
        expectFailure(response, 400, 'INVALID_REQUEST');
    }
    for (const response of [
      await api.send('POST', `/v1/documents/${foreign.id}/copy`, {
        body: { collectionId: inside.id },
      }),
      await api.patchDocument(foreign.id, { collectionId: inside.id }),
      await api.readDocument(foreign.id),
    ])
      expectFailure(response, 404, 'NOT_FOUND');
    await expectNothingMoved();
  });

  it('by the trash, versions, or a batch', async () => {
    expectSuccess(await owner.deleteDocument(foreign.id));
    for (const response of [
      await api.restoreDocument(foreign.id),
      await api.send('POST', `/v1/documents/${foreign.id}/restore`, {
        body: { collectionId: inside.id },
      }),
      await api.send('GET', `/v1/documents/${foreign.id}/versions/1`),
      await api.deleteDocument(foreign.id, { permanent: true }),
    ])
      expectFailure(response, 404, 'NOT_FOUND');
    expectSuccess(await owner.restoreDocument(foreign.id));
    expectSuccess(await api.deleteDocument(own.id));
    expectFailure(
      await api.send('POST', `/v1/documents/${own.id}/restore`, {
        body: { collectionId: outside.id },
      }),
      400,
      'INVALID_REQUEST',
    );
    expectSuccess(await api.restoreDocument(own.id));
    const batch = await api.batchDocuments({
      operations: [
        { op: 'create', document: { title: 'New', content: '', collectionId: outside.id } },
        { op: 'create', document: { title: 'New', content: '' } },
        { op: 'update', id: foreign.id, patch: { title: 'Taken' } },
        { op: 'update', id: own.id, patch: { collectionId: outside.id } },
        { op: 'upsert', externalId: 'foreign', document: { title: 'T', collectionId: inside.id } },
        { op: 'delete', id: foreign.id },
      ],
    });
    const { results } = batch.body.data as { results: { status: number }[] };
    expect(results.map(({ status }) => status)).toEqual([400, 400, 404, 400, 409, 404]);
    await expectNothingMoved();
  });

  it('by an external ID that a hidden document has', async () => {
    const put = (externalId: string, body: object) =>
      api.send('PUT', `/v1/documents/by-external-id/${externalId}`, {
        body: { title: 'Taken', content: 'Taken.', ...body },
      });
    const taken = await put('foreign', { collectionId: inside.id });
    expectFailure(taken, 409, 'INVALID_REQUEST');
    expect(taken.text).not.toContain(foreign.id);
    for (const place of places)
      expect((await put('new', { collectionId: place() })).status).toBe(400);
    expectFailure(await api.send('GET', '/v1/documents/by-external-id/foreign'), 404, 'NOT_FOUND');
    expectSuccess(await put('new', { collectionId: below.id }), 201);
    await expectNothingMoved();
  });

  it('by a browser token, whose limit holds in addition', async () => {
    const issue = (body: object) =>
      api.send('POST', '/v1/tokens', { body: { scopes: ['documents:read'], ...body } });
    const refused = await issue({ collections: [inside.id, outside.id] });
    expect(fieldsOf(refused)).toEqual(['collections[1]']);
    expect(fieldsOf(await issue({ collections: [UNKNOWN] }))).toEqual(['collections[0]']);
    expect(fieldsOf(await issue({}))).toEqual(['documents']);
    const token = async (body: object) =>
      app.api((expectSuccess(await issue(body), 201) as { token: string }).token);
    await newDocument('Low', below);
    const named = await token({ documents: { ids: [own.id, foreign.id] } });
    expect(await titlesOf(named)).toEqual(['Own']);
    const low = await token({ collections: [below.id] });
    expect(await titlesOf(low)).toEqual(['Low']);
    const both = await token({ collections: [below.id], documents: { ids: [own.id] } });
    expect(await titlesOf(both)).toEqual([]);
    // Moved away from the collections of the key, the collection of the token is hidden too.
    expectSuccess(await move(owner, below, outside.id));
    expect(await titlesOf(low)).toEqual([]);
    expectSuccess(await move(owner, below, inside.id));
    expect(await titlesOf(low)).toEqual(['Low']);
  });

  it('by repeating a request from before its limit', async () => {
    const { id, key } = await keys.made({ scopes: SCOPES_OF_KEY });
    const before = app.api(key);
    const send = () =>
      before.createDocument(
        { title: 'Before', content: '', collectionId: outside.id },
        { 'idempotency-key': 'before' },
      );
    const created = expectSuccess(await send(), 201) as Shown;
    expectSuccess(await keys.patch(id, { collections: [inside.id] }));
    const replayed = await send();
    expect(replayed.status).toBeGreaterThanOrEqual(400);
    expect(replayed.text).not.toContain(created.id);
    expectSuccess(await owner.deleteDocument(created.id));
  });

  it('by a job', async () => {
    const jobs = expectSuccess(await api.send('GET', '/v1/jobs')) as unknown[];
    expect(jobs).toEqual([]);
    for (const response of [
      await api.send('POST', '/v1/account/export'),
      await api.send('GET', `/v1/documents/${foreign.id}/export?format=pdf`),
      await api.send('POST', `/v1/collections/${outside.id}/export`),
    ])
      expect([403, 404]).toContain(response.status);
  });

  it('by access, collections or their moves', async () => {
    const access = { everyone: 'manager', people: [] };
    for (const collection of [inside, outside]) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', { access }],
      ] as const)
        expectFailure(
          await api.send(method, `${pathOf(collection)}/access`, body && { body }),
          403,
          'FORBIDDEN',
        );
    }
    const create = (parentId: string | null) =>
      api.send('POST', '/v1/collections', { body: { name: 'New', parentId } });
    for (const parentId of [null, outside.id]) {
      const { status } = await create(parentId);
      expect([400, 403]).toContain(status);
    }
    expectSuccess(await create(inside.id), 201);
    for (const parentId of [null, outside.id]) {
      const { status } = await move(api, below, parentId);
      expect([400, 403]).toContain(status);
    }
    expectFailure(await move(api, outside, inside.id), 404, 'NOT_FOUND');
    // Above the folder of the key, nothing exists for it.
    const shown = expectSuccess(await api.send('GET', '/v1/collections')) as Collection[];
    expect(shown.map(({ name, parentId }) => [name, parentId]).sort()).toEqual([
      ['Below', inside.id],
      ['Inside', null],
      ['New', inside.id],
    ]);
  });
});

describe('a person with some collections', () => {
  it('cannot limit a key to others, and the limit of their key adds to their rights', async () => {
    const member = await newMember(app, account);
    await setAccess(owner, inside, { everyone: null, people: [] });
    await newDocument('In', inside);
    await newDocument('Out', outside);
    expect(await titlesOf(member.api)).toEqual(['Out']);
    const { keyId } = await app.anotherKey({ ...account, userId: member.uuid });
    const { id } = await limitedKey([inside, outside]);
    await app.dataSource.query(
      'UPDATE api_keys SET collections = (SELECT collections FROM api_keys WHERE id = $1) WHERE id = $2',
      [decodeId('key', id), keyId],
    );
    const { key } = await app.anotherKey({ ...account, userId: member.uuid });
    expect(await titlesOf(app.api(key))).toEqual(['Out']);
  });

  it('gets nothing back by an invitation after a removal', async () => {
    const member = await newMember(app, account);
    await setAccess(owner, inside, {
      everyone: null,
      people: [{ userId: member.userId, right: 'manager' }],
    });
    await newDocument('In', inside);
    expect(await titlesOf(member.api)).toEqual(['In']);
    const rejoin = (role: string) =>
      app.dataSource.query(
        'INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, $3, now())',
        [account.accountId, member.uuid, role],
      );
    await app.dataSource.query('DELETE FROM members WHERE account_id = $1 AND user_id = $2', [
      account.accountId,
      member.uuid,
    ]);
    expectFailure(await member.api.listDocuments(), 401, 'UNAUTHORIZED');
    await rejoin('member');
    expect(await titlesOf(member.api)).toEqual([]);
  });
});

describe('a service account', () => {
  it('sees the collections that its access includes, and its key may be limited to fewer', async () => {
    const service = expectSuccess(
      await owner.send('POST', '/v1/service-accounts', { body: { name: 'Agent', role: 'member' } }),
      201,
    ) as { id: string };
    const ofService = { serviceAccountId: service.id, scopes: ['documents:read'] };
    await newDocument('In', inside);
    await newDocument('Low', below);
    await newDocument('Out', outside);
    await setAccess(owner, inside, {
      everyone: null,
      people: [{ userId: service.id, right: 'viewer' }],
    });
    await setAccess(owner, outside, { everyone: null, people: [] });
    const { key, id } = await keys.made(ofService);
    expect(await titlesOf(app.api(key))).toEqual(['In', 'Low']);
    const { api } = await limitedKey([below, outside], ofService);
    expect(await titlesOf(api)).toEqual(['Low']);
    const rotated = await keys.rotated(id, { gracePeriodSeconds: 0 });
    expect(await titlesOf(app.api(rotated.key))).toEqual(['In', 'Low']);
    await setAccess(owner, inside, { everyone: null, people: [] });
    expect(await titlesOf(app.api(rotated.key))).toEqual([]);
  });
});
