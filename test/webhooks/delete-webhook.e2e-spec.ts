import { decodeId } from '../../src/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function register(api: ApiClient): Promise<string> {
  const registered = await api.registerWebhook({ url: 'https://example.com', events: ['*'] });
  return (registered.body.data as { id: string }).id;
}

async function deliveriesOf(webhook: string): Promise<string[]> {
  const rows: { status: string }[] = await app.dataSource.query(
    'SELECT status FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id',
    [decodeId('webhook', webhook)],
  );
  return rows.map(({ status }) => status);
}

describe('deleting a webhook', () => {
  it('answers 200 with its id, and the webhook is gone', async () => {
    const { api } = await app.account();
    const id = await register(api);
    expect(expectSuccess(await api.deleteWebhook(id))).toEqual({ id, deleted: true });
    expectFailure(await api.readWebhook(id), 404, 'NOT_FOUND');
    expectFailure(await api.deleteWebhook(id), 404, 'NOT_FOUND');
    expect((await api.listWebhooks()).body.data).toEqual([]);
  });

  it('cancels its pending deliveries, and none of other webhooks', async () => {
    const { api } = await app.account();
    const [deleted, kept] = [await register(api), await register(api)];
    await api.createDocument({ title: 'One' });
    await api.createDocument({ title: 'Two' });
    expect(await deliveriesOf(deleted)).toEqual(['pending', 'pending']);
    await api.deleteWebhook(deleted);
    expect(await deliveriesOf(deleted)).toEqual(['cancelled', 'cancelled']);
    expect(await deliveriesOf(kept)).toEqual(['pending', 'pending']);
  });

  it('leaves webhook and deliveries as they were when the deliveries cannot be cancelled', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await api.createDocument({ title: 'Owed' });
    await app.dataSource.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'kept'; END $$`);
    await app.dataSource.query(
      'CREATE TRIGGER refuse BEFORE UPDATE ON webhook_deliveries EXECUTE FUNCTION refuse()',
    );
    const response = await api.deleteWebhook(id);
    await app.dataSource.query('DROP FUNCTION refuse() CASCADE');
    expectFailure(response, 500, 'INTERNAL_ERROR');
    expectSuccess(await api.readWebhook(id));
    expect(await deliveriesOf(id)).toEqual(['pending']);
  });

  it('plans no deliveries of later events', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await api.deleteWebhook(id);
    expectSuccess(await api.createDocument({ title: 'Unheard' }), 201);
    expect(await deliveriesOf(id)).toEqual([]);
  });

  it('needs a key that may write webhooks', async () => {
    const { api } = await app.account({ scopes: ['webhooks:read'] });
    expectFailure(await api.deleteWebhook('wh_01h455vb4pex5vsknk084sn02q'), 403, 'FORBIDDEN');
  });
});
