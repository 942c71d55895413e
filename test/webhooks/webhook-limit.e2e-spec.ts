import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const RECEIVER = { url: 'https://example.com/webhooks', events: ['document.created'] };

describe('the number of webhooks', () => {
  it('is at most 100 on Enterprise; a deleted one makes room, and other accounts have their own', async () => {
    const { api } = await app.account();
    const ids: string[] = [];
    for (let index = 0; index < 100; index += 1) {
      const made = expectSuccess(await api.registerWebhook(RECEIVER), 201) as { id: string };
      ids.push(made.id);
    }
    const refused = await api.registerWebhook(RECEIVER);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.message).toMatch(/allows 100 webhooks.*Delete one/);
    expect((await api.listWebhooks()).body.meta.pagination).toMatchObject({ total: 100 });
    expectSuccess(await (await app.account()).api.registerWebhook(RECEIVER), 201);

    await api.deleteWebhook(ids[0] ?? '');
    expectSuccess(await api.registerWebhook(RECEIVER), 201);
  });

  it('is what the plan allows', async () => {
    const { api } = await app.account({ plan: 'free' });
    for (let index = 0; index < 5; index += 1) {
      expectSuccess(await api.registerWebhook(RECEIVER), 201);
    }
    const refused = await api.registerWebhook(RECEIVER);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toEqual({
      quota: 'webhooks',
      limit: 5,
      used: 5,
      plan: 'free',
      requested: 1,
    });
  });
});
