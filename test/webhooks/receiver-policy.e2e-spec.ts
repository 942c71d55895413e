import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';

const EVENTS = ['document.created'];

/** What registering `url` answers in a service with these settings. */
async function statusesOf(app: TestApp, urls: readonly string[]): Promise<number[]> {
  const { api } = await app.account();
  const answers = await Promise.all(
    urls.map((url) => api.registerWebhook({ url, events: EVENTS })),
  );
  return answers.map(({ status }) => status);
}

describe('a service in production', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ environment: { NODE_ENV: 'production' } });
  });
  afterAll(() => app.close());

  it.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3/',
    'https://localhost/',
    'https://vault.internal/',
    'https://db:5432/',
  ])('registers no receiver in its own network: %s', async (url) => {
    const { api } = await app.account();
    const response = await api.registerWebhook({ url, events: EVENTS });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.field).toBe('url');
    expect(response.body.error.details.issue).toMatch(/WEBHOOK_ALLOWED_NETWORKS/);
  });

  it('registers public receivers with https', async () => {
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

  it('registers receivers there, by address and by private name', async () => {
    const urls = ['http://10.1.2.3:8080/', 'http://receiver:8080/', 'http://example.com/'];
    expect(await statusesOf(app, urls)).toEqual([201, 201, 201]);
  });

  it('registers none in networks that stayed closed', async () => {
    const urls = ['http://192.168.0.1/', 'http://127.0.0.1/', 'http://localhost/'];
    expect(await statusesOf(app, urls)).toEqual([400, 400, 400]);
  });
});
