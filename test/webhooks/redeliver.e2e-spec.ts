import { Client } from 'pg';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { attempt, create, deliveriesOf, register, row, WITHOUT_WORKER } from './managed-webhook.js';

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({ ...WITHOUT_WORKER, databaseUrl: database.url });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const SOMETIME = { since: '2026-01-01T00:00:00Z' };

/** Creates a webhook with one delivery for each outcome and returns their ids. */
async function webhookWith(
  api: ApiClient,
  outcomes: readonly ('succeeded' | 'failed' | 'pending')[],
): Promise<{ id: string; deliveries: string[] }> {
  const id = await register(api);
  await create(api, outcomes.length);
  const deliveries = (await deliveriesOf(api, id)).map((listed) => listed.id);
  for (const [index, outcome] of outcomes.entries()) {
    await attempt(app.dataSource, deliveries[index] ?? '', outcome);
  }
  return { id, deliveries };
}

const isDueNow = async (delivery: string) => {
  const [due] = await app.dataSource.query<{ now: boolean }[]>(
    `SELECT next_attempt_at <= clock_timestamp() AND status = 'pending' AS now FROM webhook_deliveries WHERE id = $1`,
    [decodeId('delivery', delivery)],
  );
  return due?.now;
};

describe('redelivering', () => {
  it.each(['succeeded', 'failed', 'pending'] as const)(
    'redelivering makes a delivery that has %s due now, with the whole schedule ahead',
    async (outcome) => {
      const { api } = await app.account();
      const { id, deliveries } = await webhookWith(api, [outcome]);
      const [delivery = ''] = deliveries;
      const before = await row(app.dataSource, 'webhook_deliveries', delivery);
      const response = await api.redeliver(id, delivery);
      expect(expectSuccess(response, 202)).toMatchObject({
        id: delivery,
        status: 'pending',
        attemptCount: 1,
        nextAttemptAt: expect.any(String) as string,
        completedAt: null,
      });
      expect(await isDueNow(delivery)).toBe(true);
      expect(await row(app.dataSource, 'webhook_deliveries', delivery)).toMatchObject({
        attempts: 1,
        earlier_attempts: 1,
        lease_generation: Number(before['lease_generation']) + 1,
        event_id: before['event_id'],
      });
      const [read] = await deliveriesOf(api, id);
      expect(read).toEqual(response.body.data);
    },
  );

  it('redelivering does not touch a delivery that a worker is sending', async () => {
    const { api } = await app.account();
    const { id, deliveries } = await webhookWith(api, ['pending']);
    const [delivery = ''] = deliveries;
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET lease_expires_at = now() + interval '1 minute' WHERE id = $1`,
      [decodeId('delivery', delivery)],
    );
    const before = await row(app.dataSource, 'webhook_deliveries', delivery);
    expectSuccess(await api.redeliver(id, delivery), 202);
    expect(await row(app.dataSource, 'webhook_deliveries', delivery)).toEqual(before);
  });

  it('redelivering notifies the workers immediately', async () => {
    const { api } = await app.account();
    const { id, deliveries } = await webhookWith(api, ['failed', 'failed']);
    const worker = new Client({ connectionString: database.url });
    await worker.connect();
    const heard: (string | undefined)[] = [];
    worker.on('notification', ({ payload }) => heard.push(payload));
    await worker.query('LISTEN webhook_deliveries');
    await api.redeliver(id, deliveries[0] ?? '');
    while (heard.length < 1) await worker.query('SELECT');
    await api.recover(id, SOMETIME);
    while (heard.length < 2) await worker.query('SELECT');
    expect(heard).toEqual([decodeId('webhook', id), decodeId('webhook', id)]);
    await worker.end();
  });

  it('redelivering is refused while the webhook is disabled', async () => {
    const { api } = await app.account();
    const { id, deliveries } = await webhookWith(api, ['failed']);
    await api.patchWebhook(id, { status: 'disabled' });
    expectFailure(await api.redeliver(id, deliveries[0] ?? ''), 409, 'INVALID_REQUEST');
    expectFailure(await api.recover(id, SOMETIME), 409, 'INVALID_REQUEST');
    expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'failed' }]);
  });
});

describe('recovering', () => {
  it('recovering sends failed and cancelled deliveries again, and nothing else', async () => {
    const { api } = await app.account();
    const { id } = await webhookWith(api, ['succeeded', 'failed', 'pending', 'failed', 'pending']);
    const other = await webhookWith(api, ['failed']);
    await api.patchWebhook(id, { status: 'disabled' });
    await api.patchWebhook(id, { status: 'active' });
    const before = await deliveriesOf(api, id);
    expect(before.map(({ status }) => status)).toEqual([
      'succeeded',
      'failed',
      'cancelled',
      'failed',
      'cancelled',
      // The event of the other webhook's document, to which this one was also subscribed.
      'cancelled',
    ]);
    const recovered = await api.recover(id, SOMETIME);
    expect(expectSuccess(recovered, 202)).toEqual({ recovered: 5, hasMore: false });
    const after = await deliveriesOf(api, id);
    expect(after.map(({ status }) => status)).toEqual(['succeeded', ...Array(5).fill('pending')]);
    for (const { id: delivery } of after.slice(1)) expect(await isDueNow(delivery)).toBe(true);
    expect((await deliveriesOf(api, other.id)).map(({ status }) => status)).toEqual([
      'failed',
      'pending',
    ]);
  });

  it('recovering uses the time of the event', async () => {
    const { api } = await app.account();
    const id = await register(api);
    const times: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      app.clock.advance(60_000);
      times.push(app.clock.now().toISOString());
      await create(api);
    }
    for (const { id: delivery } of await deliveriesOf(api, id)) {
      await attempt(app.dataSource, delivery, 'failed');
    }
    expect((await api.recover(id, { since: times[1] })).body.data).toMatchObject({ recovered: 2 });
    const statuses = (await deliveriesOf(api, id)).map(({ status }) => status);
    expect(statuses).toEqual(['failed', 'pending', 'pending']);
  });

  it('recovering sends nothing twice when it is repeated, sequentially or concurrently', async () => {
    const { api } = await app.account();
    const { id } = await webhookWith(api, ['failed', 'failed', 'failed']);
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.recover(id, SOMETIME)));
    const counts = responses.map(({ body }) => (body.data as { recovered: number }).recovered);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect((await api.recover(id, SOMETIME)).body.data).toEqual({ recovered: 0, hasMore: false });
    const entries = await api.send('GET', '/v1/audit?action=webhook.recover');
    expect(entries.body.data).toHaveLength(counts.filter((count) => count > 0).length);
    for (const { id: delivery } of await deliveriesOf(api, id)) {
      expect(await row(app.dataSource, 'webhook_deliveries', delivery)).toMatchObject({
        lease_generation: 2,
      });
    }
  });

  it('recovering happens once with an Idempotency-Key', async () => {
    const { api } = await app.account();
    const { id } = await webhookWith(api, ['failed']);
    const send = () =>
      api.send('POST', `/v1/webhooks/${id}/recover`, {
        body: SOMETIME,
        headers: { 'idempotency-key': 'recovery-1' },
      });
    const [first, retry] = [await send(), await send()];
    expect([first.body.data, retry.body.data]).toEqual([
      { recovered: 1, hasMore: false },
      { recovered: 1, hasMore: false },
    ]);
  });

  it.each([
    [{}, /required field missing/],
    [{ since: null }, /required field missing/],
    [{ since: 'yesterday' }, /must be a time with a UTC offset/],
    [{ since: '2026-02-31T00:00:00Z' }, /must be a time with a UTC offset/],
    [{ since: '2026-03-01T00:00:00' }, /must be a time with a UTC offset/],
    [{ since: 1_772_000_000 }, /must be a time with a UTC offset/],
    [{ ...SOMETIME, until: '2026-03-01T00:00:00Z' }, /is not a known field/],
  ])('recovering is refused for %j', async (body, issue) => {
    const { api } = await app.account();
    const refused = await api.recover(await register(api), body);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.issue).toMatch(issue);
  });

  it('recovering from any valid time returns a number', async () => {
    const { api } = await app.account();
    const id = await register(api);
    for (const since of [
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999999+14:00',
      '2026-03-01T12:00:00.123456789-11:30',
      '0000-01-01T00:00:00Z',
    ]) {
      const response = await api.recover(id, { since });
      expect([202, 400]).toContain(response.status);
    }
  });
});

it('each change of a webhook is in the audit log with its key, and never with a secret', async () => {
  const { api, keyId } = await app.account();
  const { id, deliveries } = await webhookWith(api, ['failed', 'failed']);
  await api.patchWebhook(id, { description: 'Audited' });
  await api.rotateSecret(id, { secret: 'audited audited audited audited' });
  await api.testWebhook(id);
  await api.redeliver(id, deliveries[0] ?? '');
  await api.recover(id, SOMETIME);
  await api.deleteWebhook(id);
  const entries = await app.dataSource.query<Record<string, string>[]>(
    'SELECT action, key_id, details::text FROM audit_log WHERE resource_id = $1 ORDER BY created_at, id',
    [decodeId('webhook', id)],
  );
  expect(entries.map(({ action }) => action).sort()).toEqual([
    'webhook.create',
    'webhook.delete',
    'webhook.recover',
    'webhook.redeliver',
    'webhook.rotate_secret',
    'webhook.test',
    'webhook.update',
  ]);
  for (const { key_id, details } of entries) {
    expect(key_id).toBe(keyId);
    expect(details).not.toContain('audited audited');
  }
});
