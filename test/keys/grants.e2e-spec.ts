import type { Scope } from '../../src/auth/scopes.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';

const OWN: Scope[] = ['keys:write', 'documents:read'];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('a key cannot grant what it has not', () => {
  it('neither by making a key', async () => {
    const { api } = await app.account({ scopes: OWN });
    const keys = new KeysApi(api);
    for (const scopes of [['documents:read', 'documents:write'], ['keys:read'], ['*']]) {
      const response = await keys.create({ name: 'More', scopes });
      expectFailure(response, 403, 'FORBIDDEN');
      expect(response.body.error.details).toEqual({ requiredScopes: scopes, grantedScopes: OWN });
    }
  });

  it('nor by rotating a key that has more, which stays as it was', async () => {
    const account = await app.account();
    const strong = await new KeysApi(account.api).made({ scopes: ['*'] });
    const weak = await app.anotherKey(account, { scopes: OWN });
    const response = await new KeysApi(app.api(weak.key)).rotate(strong.id, {
      gracePeriodSeconds: 0,
    });
    expectFailure(response, 403, 'FORBIDDEN');
    expect(response.body.error.details).toEqual({ requiredScopes: ['*'], grantedScopes: OWN });
    expectSuccess(await app.api(strong.key).listDocuments());
  });

  it('but can hand on what it has, and a key for everything can hand on everything', async () => {
    const { api } = await app.account({ scopes: OWN });
    expect(await new KeysApi(api).made({ scopes: OWN })).toMatchObject({ scopes: OWN });
    const everything = await app.account({ scopes: ['*'] });
    expect(await new KeysApi(everything.api).made({ scopes: ['*'] })).toMatchObject({
      scopes: ['*'],
    });
  });
});
