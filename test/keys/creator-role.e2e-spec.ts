import type { Role } from '../../src/features/auth/roles.js';
import type { Scope } from '../../src/features/auth/scopes.js';
import { FROM_EVERYWHERE, join, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: FROM_EVERYWHERE });
  const databaseUrl = (app.dataSource.options as { url: string }).url;
  replica = await startTestApp({ environment: FROM_EVERYWHERE, databaseUrl });
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

async function keyOf({ browser }: SignedInPerson, accountId: string, scopes: Scope[]) {
  const made = await browser.send('POST', `/accounts/${accountId}/v1/keys`, { name: 'k', scopes });
  return (expectSuccess(made, 201) as { key: string }).key;
}

async function team(role: Role) {
  const owner = await signUpAs(app);
  const { accountId } = owner;
  const other = await join(app, accountId, role);
  const path = `/accounts/${accountId}/members/${other.user.id}`;
  const become = async (to: Role) => {
    expectSuccess(await owner.browser.send('PATCH', path, { role: to }));
  };
  // The Free plan allows ten requests per minute.
  await app.dataSource.query(`UPDATE accounts SET plan = 'enterprise'`);
  return { accountId, owner, other, path, become };
}

describe('a key', () => {
  it('a key of an admin who became a viewer cannot create keys or change anything, on any replica, immediately', async () => {
    const { accountId, other, become } = await team('admin');
    const key = await keyOf(other, accountId, ['keys:write', 'documents:write', 'documents:read']);
    const makeKey = (at: TestApp) =>
      at.api(key).send('POST', '/v1/keys', { body: { name: 'k', scopes: ['documents:read'] } });
    const { key: child } = expectSuccess(await makeKey(app), 201) as { key: string };
    await become('viewer');
    for (const at of [app, replica]) {
      expectFailure(await makeKey(at), 403, 'FORBIDDEN');
      expectFailure(await at.api(key).createDocument({ title: 'x' }), 403, 'FORBIDDEN');
      expectSuccess(await at.api(key).listDocuments());
      // Keys that a key created belong to the same person.
      expectSuccess(await at.api(child).listDocuments());
    }
    await become('admin');
    expectSuccess(await makeKey(replica), 201);
  });

  it('a key with * of an owner who became an admin has the scopes of an admin', async () => {
    const { accountId, other, become } = await team('owner');
    const key = await keyOf(other, accountId, ['*']);
    expectSuccess(await app.api(key).send('POST', '/v1/account/export'), 202);
    await become('admin');
    expectFailure(await app.api(key).send('POST', '/v1/account/export'), 403, 'FORBIDDEN');
    const wanted = { body: { name: 'k', scopes: ['*'] } };
    expectFailure(await app.api(key).send('POST', '/v1/keys', wanted), 403, 'FORBIDDEN');
    expectSuccess(await app.api(key).createDocument({ title: 'x' }), 201);
  });

  it('a key of a removed member does nothing, and a successor created by another member continues', async () => {
    const { accountId, owner, other, path } = await team('admin');
    const key = await keyOf(other, accountId, ['documents:read']);
    const listed = await owner.browser.send('GET', `/accounts/${accountId}/v1/keys`);
    const [{ id }] = listed.body.data as [{ id: string }];
    const rotated = await owner.browser.send(
      'POST',
      `/accounts/${accountId}/v1/keys/${id}/rotate`,
      {
        gracePeriodSeconds: 3600,
      },
    );
    const { key: successor } = expectSuccess(rotated, 201) as { key: string };
    expectSuccess(await app.api(key).listDocuments());
    expect((await owner.browser.send('DELETE', path)).status).toBe(204);
    for (const at of [app, replica]) {
      expectFailure(await at.api(key).listDocuments(), 401, 'UNAUTHORIZED');
      expectSuccess(await at.api(successor).listDocuments());
    }
  });
});
