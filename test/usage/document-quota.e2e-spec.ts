import { PLAN_QUOTAS } from '../../src/features/usage/quotas/plan-quotas.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { fillDocuments, fillStorage } from '../support/fill.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const DOCUMENTS = PLAN_QUOTAS.free.documents ?? 0;
const BYTES = PLAN_QUOTAS.free.storageBytes ?? 0;

/** Creates a Free account with this many documents. */
async function freeAccount(count: number): Promise<TestAccount & { api: ApiClient }> {
  const account = await app.account({ plan: 'free' });
  await fillDocuments(app.dataSource, account, count);
  return account;
}

/** Creates a Free account with space for exactly this many bytes. */
async function freeAccountWithRoom(bytes: number): Promise<TestAccount & { api: ApiClient }> {
  const account = await app.account({ plan: 'free' });
  await fillStorage(app.dataSource, account, BYTES - bytes);
  return account;
}

const idOf = (data: unknown) => (data as { id: string }).id;

async function made(api: ApiClient, body: object): Promise<string> {
  return idOf(expectSuccess(await api.createDocument(body), 201));
}

describe('the document quota', () => {
  it('the document quota refuses with its numbers and a remedy, and permanent deletion frees space', async () => {
    const { api } = await freeAccount(DOCUMENTS - 1);
    const id = await made(api, { title: 'The last' });
    const refused = await api.createDocument({ title: 'One more' });
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toEqual({
      quota: 'documents',
      limit: DOCUMENTS,
      used: DOCUMENTS,
      plan: 'free',
      requested: 1,
    });
    expect(refused.body.error.message).toMatch(
      /allows 1,000 documents.*Permanently delete.*larger plan/,
    );

    await api.deleteDocument(id);
    expectFailure(await api.createDocument({ title: 'Still full' }), 403, 'FORBIDDEN');
    await api.deleteDocument(id, { permanent: true });
    await made(api, { title: 'Room again' });
  });

  it('the document quota leaves nothing of what it refuses: no document, no event, no audit entry', async () => {
    const { api } = await freeAccount(DOCUMENTS);
    expectFailure(await api.createDocument({ title: 'x' }), 403, 'FORBIDDEN');
    const keyed = await api.createDocument({ title: 'x' }, { 'Idempotency-Key': 'k' });
    expectFailure(keyed, 403, 'FORBIDDEN');
    for (const path of ['/v1/events', '/v1/audit']) {
      expect((await api.list(path, {})).body.meta.pagination.total).toBe(0);
    }
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(DOCUMENTS);
  });

  it('the document quota allows restoring from the trash, because documents there already count', async () => {
    const { api } = await freeAccount(DOCUMENTS - 1);
    const id = await made(api, { title: 'The last' });
    await api.deleteDocument(id);
    expectSuccess(await api.restoreDocument(id));
  });

  it('the document quota does not block changes that need no more space', async () => {
    const { api } = await freeAccount(DOCUMENTS - 1);
    const id = await made(api, { title: 'Title', content: 'Some text' });
    const patch = { title: 'Longer title', content: 'Some more text' };
    expectSuccess(await api.patchDocument(id, patch));
  });

  it('the document quota keeps documents above the limit after a downgrade, and refuses more until there is space', async () => {
    const account = await app.account();
    await fillDocuments(app.dataSource, account, DOCUMENTS + 2);
    const id = await made(account.api, { title: 'Kept' });
    await app.dataSource.query(`UPDATE accounts SET plan = 'free' WHERE id = $1`, [
      account.accountId,
    ]);
    const refused = await account.api.createDocument({ title: 'x' });
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toMatchObject({ used: DOCUMENTS + 3, plan: 'free' });
    expectSuccess(await account.api.patchDocument(id, { title: 'Kept, and changed' }));
    expect((await account.api.listDocuments()).body.meta.pagination.total).toBe(DOCUMENTS + 3);
    await account.api.deleteDocument(id, { permanent: true });
    expectFailure(await account.api.createDocument({ title: 'x' }), 403, 'FORBIDDEN');
  });

  it('the document quota ends immediately when the account moves to a larger plan', async () => {
    const { api, accountId } = await freeAccount(DOCUMENTS);
    const keyed = { 'Idempotency-Key': 'later' };
    expectFailure(await api.createDocument({ title: 'x' }, keyed), 403, 'FORBIDDEN');
    await app.dataSource.query(`UPDATE accounts SET plan = 'plus' WHERE id = $1`, [accountId]);
    expectSuccess(await api.createDocument({ title: 'x' }, keyed), 201);
  });

  it('the document quota applies to each operation of a batch, and to an atomic one as a whole', async () => {
    const create = (title: string) => ({ op: 'create', document: { title } });
    const operations = ['a', 'b', 'c', 'd'].map(create);
    const statuses = (response: { body: { data: { results: { status: number }[] } } }) =>
      response.body.data.results.map(({ status }) => status);
    const { api } = await freeAccount(DOCUMENTS - 2);
    const whole = await api.batchDocuments({ operations, atomic: true });
    expect(statuses(whole).filter((status) => status === 403)).toHaveLength(1);
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(DOCUMENTS - 2);
    const each = await api.batchDocuments({ operations });
    expect(statuses(each).sort()).toEqual([201, 201, 403, 403]);
    const keyed = await api.batchDocuments({ operations }, { 'Idempotency-Key': 'k' });
    expect(statuses(keyed)).toEqual([403, 403, 403, 403]);
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(DOCUMENTS);
  });
});

describe('the storage quota', () => {
  it('the storage quota counts the UTF-8 bytes of title, content, metadata and aiSettings exactly', async () => {
    const document = { title: 'ä', content: '字😀', metadata: { tag: 'ü' }, aiSettings: { b: 1 } };
    const bytes = 2 + 7 + Buffer.byteLength('{"tag":"ü"}') + Buffer.byteLength('{"b":1}');
    const tight = await freeAccountWithRoom(bytes - 1);
    const refused = await tight.api.createDocument(document);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toEqual({
      quota: 'storageBytes',
      limit: BYTES,
      used: BYTES - bytes + 1,
      plan: 'free',
      requested: bytes,
    });
    const fitting = await freeAccountWithRoom(bytes);
    await made(fitting.api, document);
    expectFailure(await fitting.api.createDocument({ title: 'x' }), 403, 'FORBIDDEN');
  });

  it('the storage quota refuses every kind of change that makes a document exceed it, and allows shrinking', async () => {
    const { api } = await freeAccountWithRoom('Title'.length + 'abc'.length + '{}{}'.length);
    const id = await made(api, { title: 'Title', content: 'abc' });
    expectFailure(await api.patchDocument(id, { content: 'abcd' }), 403, 'FORBIDDEN');
    expectFailure(
      await api.replaceDocument(id, { title: 'Title.', content: 'abc' }),
      403,
      'FORBIDDEN',
    );
    expectFailure(await api.editDocument(id, [{ op: 'append', text: 'd' }]), 403, 'FORBIDDEN');
    const keyed = {
      body: { edits: [{ op: 'append', text: 'd' }] },
      headers: { 'Idempotency-Key': 'k' },
    };
    expectFailure(await api.send('POST', `/v1/documents/${id}/edits`, keyed), 403, 'FORBIDDEN');
    expect((await api.readDocument(id)).body.data).toMatchObject({ content: 'abc', version: 1 });
    expectSuccess(await api.patchDocument(id, { content: 'xyz' }));
    expectSuccess(await api.patchDocument(id, { content: 'x' }));
    expectSuccess(await api.patchDocument(id, { content: 'xy!' }));
  });

  it('the storage quota refuses to restore a longer version, and nothing else', async () => {
    const { api } = await freeAccountWithRoom(100);
    const id = await made(api, { title: 'Title', content: 'y'.repeat(91) });
    expectSuccess(await api.patchDocument(id, { content: '' }));
    const other = await made(api, { title: 'o', content: 'y'.repeat(80) });
    const restore = () => api.send('POST', `/v1/documents/${id}/versions/1/restore`);
    expectFailure(await restore(), 403, 'FORBIDDEN');
    await api.deleteDocument(other, { permanent: true });
    expectSuccess(await restore());
  });
});
