import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient } from '../support/api-client.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

/** Two ways of writing the beginning of July 2030 in UTC. */
const JULY = ['2030-06-30T24:00:00Z', '2030-06-30T23:59:60Z'];
const NO_TIMES = ['2030-06-30T24:00:01Z', '2030-06-30T12:00:60Z'];

let app: TestApp;
let api: ApiClient;
let webhookId: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ api } = await app.account());
  const registered = await api.registerWebhook({
    url: 'https://example.com/hook',
    events: ['*'],
  });
  webhookId = (expectSuccess(registered, 201) as { id: string }).id;
});
afterAll(() => app.close());

/** Every place of a request where a time stands. */
const PLACES: Readonly<Record<string, (time: string) => ReturnType<ApiClient['send']>>> = {
  createdAfter: (time) => api.send('GET', `/v1/documents?createdAfter=${time}`),
  createdBefore: (time) => api.send('GET', `/v1/documents?createdBefore=${time}`),
  updatedAfter: (time) => api.send('GET', `/v1/documents?updatedAfter=${time}`),
  updatedBefore: (time) => api.send('GET', `/v1/documents?updatedBefore=${time}`),
  'after, of the audit log': (time) => api.send('GET', `/v1/audit?after=${time}`),
  'before, of the audit log': (time) => api.send('GET', `/v1/audit?before=${time}`),
  since: (since) => api.send('POST', `/v1/webhooks/${webhookId}/recover`, { body: { since } }),
  expiresAt: (expiresAt) =>
    api.send('POST', '/v1/keys', { body: { name: 'July', scopes: ['documents:read'], expiresAt } }),
};

describe.each(Object.entries(PLACES))('A time in %s', (_, send) => {
  it.each(JULY)('may be written %s', async (time) => {
    expect(Math.floor((await send(time)).status / 100)).toBe(2);
  });

  it.each(NO_TIMES)('is never %s', async (time) => {
    expectFailure(await send(time), 400, 'INVALID_REQUEST');
  });
});

describe('A key', () => {
  it.each(JULY)('that expires at %s expires with the next day', async (expiresAt) => {
    const made = await PLACES['expiresAt']?.(expiresAt);
    expect(made?.body.data).toMatchObject({ expiresAt: '2030-07-01T00:00:00.000Z' });
  });
});
