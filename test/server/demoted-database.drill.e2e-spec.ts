import { randomBytes, randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { request } from 'undici';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { SCHEMA } from '../../src/tables.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { ReplicatedPostgres } from '../support/standby.js';

let postgres: ReplicatedPostgres;
let service: ServiceProcess;
let api: ApiClient;
beforeAll(async () => {
  postgres = await ReplicatedPostgres.start('a');
  service = await startService({
    DATABASE_URL: postgres.url('a'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'all',
  });
  const dataSource = new DataSource(dataSourceOptions(postgres.url('a'), 2, SCHEMA));
  await dataSource.initialize();
  const { key } = await makeAccount(dataSource);
  await dataSource.destroy();
  api = new ApiClient(service.origin, key);
}, 120_000);
afterAll(async () => {
  await service.end('SIGKILL');
  await postgres.remove();
});

it('with a server that has become a standby, every request responds with 503, and the service recovers by itself', async () => {
  const { id } = expectSuccess(await api.createDocument({ title: 'First' }), 201) as { id: string };
  await postgres.addStandby('b');
  await postgres.promote('b');
  // On the same port, and read-only.
  await postgres.addStandby('a', { of: 'b' });
  const requests: Record<string, () => Promise<ApiResponse>> = {
    create: () => api.createDocument({ title: 'Refused' }),
    'keyed create': () =>
      api.createDocument({ title: 'Refused' }, { 'Idempotency-Key': randomUUID() }),
    change: () => api.patchDocument(id, { title: 'Refused' }),
    delete: () => api.deleteDocument(id),
    batch: () =>
      api.batchDocuments({ operations: [{ op: 'create', document: { title: 'Refused' } }] }),
    read: () => api.readDocument(id),
    list: () => api.listDocuments(),
    search: () => api.listDocuments({ q: 'first' }),
    events: () => api.listEvents(),
    template: () => api.createTemplate({ name: 'Refused', content: 'x' }),
    webhook: () => api.registerWebhook({ url: 'https://example.com/', events: ['document.*'] }),
    export: () => api.exportAccount(),
    jobs: () => api.listJobs(),
    presence: () => api.holdPresence(id, { state: 'viewing' }),
  };
  for (const send of Object.values(requests)) expectFailure(await send(), 503, 'INTERNAL_ERROR');
  const ready = await request(`${service.origin}/health/ready`);
  await ready.body.dump();
  expect(ready.statusCode).toBe(503);
  expect(service.child.exitCode).toBeNull();

  await postgres.promote('a');
  await eventually(
    () => api.createDocument({ title: 'Again' }),
    ({ status }) => status === 201,
  );
  const accepted = expectSuccess(await api.exportAccount(), 202) as { id: string };
  await eventually(
    () => api.readJob(accepted.id),
    ({ body }) => (body as { data: { status: string } }).data.status === 'succeeded',
  );
}, 180_000);
