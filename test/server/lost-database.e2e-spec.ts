import { expectFailure } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let proxy: TcpProxy;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await TcpProxy.start(Number(url.port), url.hostname);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  app = await startTestApp({ databaseUrl: url.href });
});
afterAll(async () => {
  await app.close();
  await proxy.close();
  await database.drop();
});

it('a lost database causes 503 with Retry-After in the envelope, and the service recovers automatically', async () => {
  const { api } = await app.account();
  const made = await api.createDocument({ title: 'Before' });
  await proxy.cut();
  for (const response of [
    await api.createDocument({ title: 'Meanwhile' }),
    await api.listDocuments(),
    await api.readDocument('doc_nonsense'),
  ]) {
    expectFailure(response, 503, 'INTERNAL_ERROR');
    expect(response.headers['retry-after']).toBe('2');
  }
  expectFailure(await api.send('GET', '/health/ready'), 503, 'INTERNAL_ERROR');
  expect((await api.send('GET', '/health/live')).status).toBe(200);
  await proxy.restore();
  expect((await api.send('GET', '/health/ready')).status).toBe(200);
  expect((await api.createDocument({ title: 'After' })).status).toBe(201);
  expect((await api.readDocument((made.body.data as { id: string }).id)).status).toBe(200);
  expect((await api.listDocuments()).body.meta.pagination.total).toBe(2);
});
