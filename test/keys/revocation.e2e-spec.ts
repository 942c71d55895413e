import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const { url } = app.dataSource.options as { url: string };
  replica = await startTestApp({ databaseUrl: url });
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

describe('revoking a key', () => {
  it('ends it at once on every replica: no request begun after the answer succeeds', async () => {
    const { api } = await app.account();
    const keys = new KeysApi(api);
    for (let round = 0; round < 5; round += 1) {
      const { id, key } = await keys.made();
      expectSuccess(await replica.api(key).listDocuments());
      const underWay = Array.from({ length: 20 }, () => replica.api(key).listDocuments());
      expect(expectSuccess(await keys.revoke(id))).toEqual({ id, deleted: true });
      const after = [app, replica].flatMap((one) =>
        Array.from({ length: 5 }, () => one.api(key).listDocuments()),
      );
      for (const answer of await Promise.all(after)) expectFailure(answer, 401, 'UNAUTHORIZED');
      await Promise.all(underWay);
      app.clock.advance(60_000);
      replica.clock.advance(60_000);
    }
  });

  it('keeps the record, with the time of the first revocation', async () => {
    const { api } = await app.account();
    const keys = new KeysApi(api);
    const { id } = await keys.made();
    const revokedAt = app.clock.now().toISOString();
    await keys.revoke(id);
    app.clock.advance(1000);
    expect(expectSuccess(await keys.revoke(id))).toEqual({ id, deleted: true });
    expect(expectSuccess(await keys.read(id))).toMatchObject({ id, revokedAt });
  });

  it('lets a key revoke itself', async () => {
    const account = await app.account();
    const { id, key } = await new KeysApi(account.api).made({ scopes: ['keys:write'] });
    const itself = new KeysApi(app.api(key));
    expectSuccess(await itself.revoke(id));
    expectFailure(await itself.revoke(id), 401, 'UNAUTHORIZED');
  });
});
