import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { IdempotencyRecordRepository } from '../../src/features/idempotency/idempotency-record.repository.js';
import { Config } from '../../src/platform/config/config.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

const HOUR_MS = 60 * 60 * 1000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

const create = (api: ApiClient, key: string, body: unknown) =>
  api.createDocument(body, { 'Idempotency-Key': key });

async function totals(api: ApiClient): Promise<{ documents: number; events: number }> {
  const [documents, events] = [await api.listDocuments(), await api.listEvents()];
  return {
    documents: documents.body.meta.pagination.total as number,
    events: events.body.meta.pagination.total as number,
  };
}

const isReplayed = ({ headers }: ApiResponse) => headers['idempotency-replayed'] === 'true';

describe('A POST with an Idempotency-Key', () => {
  it('happens once, and its retry gets the first response again with a new request ID', async () => {
    const { api } = await app.account();
    const first = await create(api, 'order-7', { title: 'Once', metadata: { b: 1.0, a: 'ü' } });
    const retry = await create(api, 'order-7', { title: 'Once', metadata: { b: 1.0, a: 'ü' } });
    expect(retry.status).toBe(201);
    expect(retry.body.data).toEqual(first.body.data);
    expect(retry.headers['location']).toBe(first.headers['location']);
    expect(retry.headers['etag']).toBe(first.headers['etag']);
    expect([isReplayed(first), isReplayed(retry)]).toEqual([false, true]);
    expect(retry.body.meta.requestId).not.toBe(first.body.meta.requestId);
    expect(await totals(api)).toEqual({ documents: 1, events: 1 });
  });

  it('creates one row and one event when a hundred arrive together', async () => {
    const { api } = await app.account();
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => create(api, 'together', { title: 'One of a hundred' })),
    );
    const made = responses.filter((response) => response.status === 201);
    const running = responses.filter((response) => response.status === 409);
    expect(made.length + running.length).toBe(100);
    expect(made.filter((response) => !isReplayed(response))).toHaveLength(1);
    expect(new Set(made.map(({ body }) => (body.data as { id: string }).id)).size).toBe(1);
    expect(await totals(api)).toEqual({ documents: 1, events: 1 });
  });

  it('is refused with 422 when its key was used with another body', async () => {
    const { api } = await app.account();
    await create(api, 'k', { title: 'First' });
    expectFailure(await create(api, 'k', { title: 'Second' }), 422, 'INVALID_REQUEST');
    expect(await totals(api)).toEqual({ documents: 1, events: 1 });
  });

  it('shares nothing with the same key in another account or on another path', async () => {
    const [one, two] = [await app.account(), await app.account()];
    expectSuccess(await create(one.api, 'k', { title: 'A' }), 201);
    expect(isReplayed(await create(two.api, 'k', { title: 'A' }))).toBe(false);
    const options = {
      body: { url: 'https://example.com', events: ['*'] },
      headers: { 'Idempotency-Key': 'k' },
    };
    const webhook = await one.api.send('POST', '/v1/webhooks', options);
    expect([webhook.status, isReplayed(webhook)]).toEqual([201, false]);
  });

  it('is a new request when the first one was invalid', async () => {
    const { api } = await app.account();
    for (const body of [{ titel: 'Wrong' }, { titel: 'Wrong' }, { title: '' }, {}, []]) {
      const refused = await create(api, 'k', body);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(isReplayed(refused)).toBe(false);
    }
    const corrected = await create(api, 'k', { title: 'Corrected' });
    expectSuccess(corrected, 201);
    expect(isReplayed(corrected)).toBe(false);
    expect(isReplayed(await create(api, 'k', { title: 'Corrected' }))).toBe(true);
    expectFailure(await create(api, 'k', { title: 'Other' }), 422, 'INVALID_REQUEST');
    expect(await totals(api)).toEqual({ documents: 1, events: 1 });
  });

  it('is a new request when the first body had fields and the route takes none', async () => {
    const { api } = await app.account();
    const { id } = expectSuccess(await api.createDocument({ title: 'A' }), 201) as { id: string };
    const restore = (body: object) =>
      api.send('POST', `/v1/documents/${id}/versions/1/restore`, {
        body,
        headers: { 'Idempotency-Key': 'k' },
      });
    expectFailure(await restore({ force: true }), 400, 'INVALID_REQUEST');
    const corrected = await restore({});
    expectSuccess(corrected, 200);
    expect(isReplayed(await restore({}))).toBe(true);
    // The field is refused before the key is compared.
    expectFailure(await restore({ force: true }), 400, 'INVALID_REQUEST');
  });

  it.each([
    ['compressed', 415, { 'Content-Encoding': 'gzip' }, { title: 'Hello' }],
    ['too long', 413, {}, { title: 'x'.repeat(12 * 1024 ** 2) }],
  ])('is a new request when the first body was %s', async (_how, status, headers, body) => {
    const { api } = await app.account();
    const first = { body, headers: { ...headers, 'Idempotency-Key': 'k' } };
    expectFailure(await api.send('POST', '/v1/documents', first), status, 'INVALID_REQUEST');
    expectSuccess(await create(api, 'k', { title: 'Corrected' }), 201);
  });

  it('is a new request when an earlier release stored that the first one was invalid', async () => {
    const { api, accountId } = await app.account();
    const records = app.app.get(IdempotencyRecordRepository);
    await create(api, 'k', { title: 'Stored by this release' });
    const [row] = await app.dataSource.query<{ id: Buffer; principal_id: string }[]>(
      'SELECT id, principal_id FROM idempotency_keys WHERE account_id = $1',
      [accountId],
    );
    const keyed = { accountId, principalId: row?.principal_id ?? '', route: 'POST /v1/documents' };
    const record = { kind: 'bad_request' as const, message: 'titel: unknown field', details: {} };
    await records.store({ ...keyed, key: 'k', bodyHash: Buffer.alloc(32) }, record);
    expectSuccess(await create(api, 'k', { title: 'Corrected' }), 201);
    expect(isReplayed(await create(api, 'k', { title: 'Corrected' }))).toBe(true);
  });

  it('replays a refusal that depends on the state of the account', async () => {
    const { api } = await app.account();
    expectSuccess(await api.createDocument({ title: 'A', externalId: 'crm/1' }), 201);
    const first = await create(api, 'k', { title: 'B', externalId: 'crm/1' });
    const retry = await create(api, 'k', { title: 'B', externalId: 'crm/1' });
    expectFailure(first, 409, 'INVALID_REQUEST');
    expect(retry.body.error).toEqual(first.body.error);
    expect(isReplayed(retry)).toBe(true);
    expectFailure(await create(api, 'k', { title: 'B' }), 422, 'INVALID_REQUEST');
  });

  it('stores a batch with refused operations, but no batch that is refused as a whole', async () => {
    const { api } = await app.account();
    const batch = (body: unknown) =>
      api.send('POST', '/v1/documents/batch', { body, headers: { 'Idempotency-Key': 'k' } });
    expectFailure(await batch({ operations: [] }), 400, 'INVALID_REQUEST');
    const wrong = { operations: [{ op: 'create', document: { title: '' } }] };
    expectSuccess(await batch(wrong), 200);
    expect(isReplayed(await batch(wrong))).toBe(true);
    const corrected = { operations: [{ op: 'create', document: { title: 'Corrected' } }] };
    expectFailure(await batch(corrected), 422, 'INVALID_REQUEST');
  });

  it('takes effect once when invalid and valid bodies with its key arrive together', async () => {
    const { api } = await app.account();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => create(api, 'k', { title: n % 2 === 0 ? '' : 'Valid' })),
    );
    // The key is in use, or another body has taken effect.
    expect(responses.every(({ status }) => [201, 400, 409, 422].includes(status))).toBe(true);
    expectSuccess(await create(api, 'k', { title: 'Valid' }), 201);
    expect(await totals(api)).toEqual({ documents: 1, events: 1 });
  });

  it('never stores that a limit was reached', async () => {
    const { api, accountId } = await app.account({ plan: 'free' });
    for (let count = 0; count < 10; count += 1) await api.listDocuments();
    expectFailure(await create(api, 'k', { title: 'Late' }), 429, 'RATE_LIMIT_EXCEEDED');
    await app.dataSource.query('DELETE FROM rate_limit_windows WHERE account_id = $1', [accountId]);
    expectSuccess(await create(api, 'k', { title: 'Late' }), 201);
  });

  it('is a new request after 24 hours', async () => {
    const { api } = await app.account();
    await create(api, 'k', { title: 'Daily' });
    app.clock.advance(24 * HOUR_MS + 1);
    await app.app.get(BackgroundTasks).runAll();
    expect(isReplayed(await create(api, 'k', { title: 'Daily' }))).toBe(false);
    expect((await totals(api)).documents).toBe(2);
  });

  it('needs a key of 1 to 255 characters', async () => {
    const { api } = await app.account();
    expectSuccess(await create(api, 'x'.repeat(255), { title: 'Fits' }), 201);
    const refused = await create(api, 'x'.repeat(256), { title: 'Too long' });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({ field: 'Idempotency-Key' });
  });

  it('happens once on two replicas', async () => {
    const account = await app.account();
    const replica = await startTestApp({ databaseUrl: app.app.get(Config).databaseUrl });
    // An earlier test moved the clock, so what one replica stored would be too old for the other.
    replica.clock.advance(app.clock.now().getTime() - replica.clock.now().getTime());
    const apis = [account.api, replica.api(account.key)];
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => create(apis[n % 2] as ApiClient, 'k', { title: 'T' })),
    );
    await replica.close();
    const fresh = responses.filter((response) => response.status === 201 && !isReplayed(response));
    expect(fresh).toHaveLength(1);
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await totals(account.api)).toEqual({ documents: 1, events: 1 });
  });
});
