import type { PublicIssuedKey } from '../../src/features/keys/key.presenter.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { entriesOf } from '../audit/audit-api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { FakeSessionsModule, signIn, type SignedIn } from './fake-sessions.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [FakeSessionsModule] });
});
afterAll(() => app.close());

const create = (person: SignedIn, headers: Record<string, string> = {}) =>
  person.send('POST', '/v1/documents', { body: { title: 'Plan' }, headers });

describe('a signed-in person', () => {
  it('a signed-in person uses the same routes as a key, and is the creator of what they create', async () => {
    const account = await app.account();
    const person = await signIn(app, account, 'member');
    const made = expectSuccess(await create(person), 201) as { id: string };
    expect(made).toMatchObject({ createdBy: account.user });
    expect(expectSuccess(await account.api.readDocument(made.id))).toEqual(made);
    const { body } = await person.send('GET', '/v1/documents');
    expect(body.data).toMatchObject([{ id: made.id }]);
  });

  it("a signed-in person uses none of the plan's request windows", async () => {
    const account = await app.account({ plan: 'free' });
    const person = await signIn(app, account, 'viewer');
    for (let request = 0; request < 12; request += 1) {
      const { status, headers } = await person.send('GET', '/v1/documents');
      expect(status).toBe(200);
      expect(headers['x-ratelimit-remaining']).toBe(String(599 - request));
    }
    const { body } = await person.send('GET', '/v1/usage');
    expect(body.data.rateLimits.minute).toMatchObject({ limit: 10, used: 0, remaining: 10 });
    const { headers } = await account.api.listDocuments();
    expect(headers['x-ratelimit-remaining']).toBe('9');
  });

  it('a signed-in person can send 600 requests a minute over all accounts', async () => {
    const [one, other] = [await app.account(), await app.account()];
    const person = await signIn(app, one, 'viewer');
    const again = await signIn(app, { ...other, userId: one.userId }, 'viewer');
    await app.dataSource.query(
      `INSERT INTO rate_limit_windows VALUES ($1, now(), 598, now(), 598, now(), 598)
       ON CONFLICT (account_id) DO UPDATE SET minute_count = 598`,
      [one.userId],
    );
    expectSuccess(await person.send('GET', '/v1/documents'));
    expectSuccess(await again.send('GET', '/v1/documents'));
    const refused = await person.send('GET', '/v1/documents');
    expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.body.error.message).toMatch(/^Your 600 requests per minute are used up/);
    expectSuccess(await one.api.listDocuments());
  });

  it('a signed-in person can do what the role allows, and learns which scope it lacks', async () => {
    const account = await app.account();
    const viewer = await signIn(app, account, 'viewer');
    expectSuccess(await viewer.send('GET', '/v1/documents'));
    const refused = await create(viewer);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.message).toMatch(/^Your role in this account lacks the scope/);
    expect(refused.body.error.details).toMatchObject({ requiredScopes: ['documents:write'] });
    expectSuccess(await create(await signIn(app, account, 'member')), 201);
    expectFailure(await viewer.send('GET', '/v1/audit'), 403, 'FORBIDDEN');
    expectSuccess(await (await signIn(app, account, 'owner')).send('GET', '/v1/audit'));
  });

  it('a signed-in person cannot create keys with more permissions than the role', async () => {
    const account = await app.account();
    const admin = await signIn(app, account, 'admin');
    const makeKey = (scopes: string[]) =>
      admin.send('POST', '/v1/keys', { body: { name: 'Build server', scopes } });
    const key = expectSuccess(await makeKey(['documents:read']), 201) as PublicIssuedKey;
    expect(key.createdBy).toEqual(account.user);
    const refused = await makeKey(['*']);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.message).toMatch(/^Your role in this account cannot grant/);
    const path = (id: string) => `/v1/keys/${id}`;
    const beyond = encodeId('key', account.keyId);
    expectFailure(await admin.send('DELETE', path(beyond)), 403, 'FORBIDDEN');
    expectSuccess(await admin.send('DELETE', path(key.id)));
  });

  it('a signed-in person is named in the audit log and in events, without a key', async () => {
    const account = await app.account();
    await create(await signIn(app, account, 'owner'));
    const { id: userId, name: userName } = account.user;
    const [entry] = await entriesOf(account.api);
    expect(entry?.actor).toEqual({ userId, userName, keyId: null });
    const { body } = await account.api.send('GET', '/v1/events');
    expect(body.data).toMatchObject([{ actor: { userId, keyId: null } }]);
  });

  it('a signed-in person gets the response of an Idempotency-Key again in any session, but a key does not', async () => {
    const account = await app.account();
    const once = { 'Idempotency-Key': 'once' };
    const first = await create(await signIn(app, account, 'member'), once);
    const again = await create(await signIn(app, account, 'admin'), once);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = await account.api.createDocument({ title: 'Plan' }, once);
    expect(other.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('a signed-in person can send a batch with an Idempotency-Key, and each of its operations counts', async () => {
    const account = await app.account();
    const person = await signIn(app, account, 'member');
    const operation = { op: 'create', document: { title: 'Plan' } };
    const batch = () =>
      person.send('POST', '/v1/documents/batch', {
        body: { operations: [operation, operation] },
        headers: { 'Idempotency-Key': 'batch' },
      });
    const first = await batch();
    expect(expectSuccess(first)).toMatchObject({ results: [{ status: 201 }, { status: 201 }] });
    expect((await batch()).body.data).toEqual(first.body.data);
    expect((await account.api.listDocuments()).body.meta.pagination.total).toBe(2);
  });

  it('a signed-in person is refused after signing out, and a key sent along with a session decides alone', async () => {
    const account = await app.account();
    const person = await signIn(app, account, 'owner');
    person.signOut();
    const refused = await person.send('GET', '/v1/documents');
    expectFailure(refused, 401, 'UNAUTHORIZED');
    expect(refused.body.error.message).toContain('Sign in again');
    const headers = { authorization: `Bearer ${account.key}` };
    expectSuccess(await person.send('GET', '/v1/documents', { headers }));
    expectFailure(await app.api().listDocuments(), 401, 'UNAUTHORIZED');
  });

  it('a signed-in person cannot see what belongs to other accounts', async () => {
    const [mine, other] = [await app.account(), await app.account()];
    const person = await signIn(app, mine, 'owner');
    const { id } = expectSuccess(await other.api.createDocument({ title: 'x' }), 201) as {
      id: string;
    };
    expectFailure(await person.send('GET', `/v1/documents/${id}`), 404, 'NOT_FOUND');
  });
});
