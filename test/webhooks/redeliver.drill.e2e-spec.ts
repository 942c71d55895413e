import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { register, WITHOUT_WORKER } from './managed-webhook.js';

const SOMETIME = { since: '2026-01-01T00:00:00Z' };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(WITHOUT_WORKER);
});
afterAll(() => app.close());

it('recovering covers a hundred thousand deliveries at once, and says when there are more', async () => {
  const { api, accountId } = await app.account();
  const id = await register(api);
  await app.dataSource.query(
    `INSERT INTO webhook_deliveries (id, account_id, event_id, webhook_id, status, next_attempt_at, created_at)
       SELECT uuid_v7(), $1, uuid_v7(), $2, 'failed', now(), '2026-03-01T12:00:00Z' FROM generate_series(1, 100500)`,
    [accountId, decodeId('webhook', id)],
  );
  const first = await api.recover(id, SOMETIME);
  expect(expectSuccess(first, 202)).toEqual({ recovered: 100_000, hasMore: true });
  const second = await api.recover(id, SOMETIME);
  expect(expectSuccess(second, 202)).toEqual({ recovered: 500, hasMore: false });
  const list = await api.listDeliveries(id, { status: 'pending', limit: 1 });
  expect(list.body.meta.pagination.total).toBe(100_500);
  const disabled = await api.patchWebhook(id, { status: 'disabled' });
  expect(disabled.status).toBe(200);
  expect((await api.deleteWebhook(id)).status).toBe(200);
});
