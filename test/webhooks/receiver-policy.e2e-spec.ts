import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';
import { register } from './managed-webhook.js';
import { BROKEN_URLS, PRIVATE_URLS } from './private-urls.js';

const EVENTS = ['document.created'];

/** Some of each. `src/features/webhooks/settings/receiver-url.spec.ts` tests all of them. */
const some = (urls: readonly string[]) => urls.filter((_, index) => index % 10 === 0);

/** Returns the statuses of registering these URLs in a service with these settings. */
async function statusesOf(app: TestApp, urls: readonly string[]): Promise<number[]> {
  const { api } = await app.account();
  const responses = await Promise.all(
    urls.map((url) => api.registerWebhook({ url, events: EVENTS })),
  );
  return responses.map(({ status }) => status);
}

describe('a service in production', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ environment: { NODE_ENV: 'production' } });
  });
  afterAll(() => app.close());

  it('a service in production registers no receiver in its own network, however its address is written', async () => {
    const { api } = await app.account();
    for (const url of some(PRIVATE_URLS)) {
      const refused = await api.registerWebhook({ url, events: EVENTS });
      expect({ url, status: refused.status }).toEqual({ url, status: 400 });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe('url');
      expect([url, refused.body.error.details.issue]).toEqual([
        url,
        expect.stringMatching(/WEBHOOK_ALLOWED_NETWORKS|is not a URL/),
      ]);
    }
    expect((await api.listWebhooks()).body.meta.pagination.total).toBe(0);
  });

  it('a service in production registers no URL that is broken or ambiguous', async () => {
    const { api } = await app.account();
    for (const url of some(BROKEN_URLS)) {
      const refused = await api.registerWebhook({ url, events: EVENTS });
      expect({ url, status: refused.status }).toEqual({ url, status: 400 });
      expect(refused.body.error.details.field).toBe('url');
    }
  });

  it('a service in production changes no webhook to such a URL either', async () => {
    const { api } = await app.account();
    const id = await register(api);
    const before = (await api.readWebhook(id)).body.data as object;
    for (const url of some([...PRIVATE_URLS, ...BROKEN_URLS])) {
      const refused = await api.patchWebhook(id, { url });
      expect({ url, status: refused.status }).toEqual({ url, status: 400 });
    }
    expect((await api.readWebhook(id)).body.data).toEqual(before);
  });

  it('a service in production registers public receivers with https', async () => {
    const urls = ['https://example.com/', 'https://93.184.215.14/', 'https://[2606:4700::1111]/'];
    expect(await statusesOf(app, urls)).toEqual([201, 201, 201]);
  });
});

describe('a service whose operator opened a network and plain http', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      environment: {
        NODE_ENV: 'production',
        WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8',
        WEBHOOK_ALLOW_HTTP: 'true',
      },
    });
  });
  afterAll(() => app.close());

  it('a service whose operator opened a network and plain http registers receivers there, by address and by private name', async () => {
    const urls = ['http://10.1.2.3:8080/', 'http://receiver:8080/', 'http://example.com/'];
    expect(await statusesOf(app, urls)).toEqual([201, 201, 201]);
  });

  it('a service whose operator opened a network and plain http registers none in networks that stayed closed', async () => {
    const urls = ['http://192.168.0.1/', 'http://127.0.0.1/', 'http://localhost/'];
    expect(await statusesOf(app, urls)).toEqual([400, 400, 400]);
  });
});
