import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { create, deliveriesOf, register, row, WITHOUT_WORKER } from './managed-webhook.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(WITHOUT_WORKER);
});
afterAll(() => app.close());

const eventsOf = async (api: { listEvents(): Promise<ApiResponse> }) =>
  (await api.listEvents()).body.data as { type: string; data: object; actor: object }[];

async function auditOf(webhook: string): Promise<unknown[]> {
  return app.dataSource.query(
    'SELECT action, details FROM audit_log WHERE resource_id = $1 ORDER BY id',
    [decodeId('webhook', webhook)],
  );
}

describe('changing a webhook', () => {
  it('changing a webhook changes the given fields and keeps the rest', async () => {
    const { api } = await app.account();
    const id = await register(api, { description: 'Index' });
    const before = (await api.readWebhook(id)).body.data as object;
    app.clock.advance(5_000);
    const changed = await api.patchWebhook(id, {
      url: 'https://example.org/v2',
      events: ['document.created', 'document.created', 'webhook.*'],
      payload: 'thin',
    });
    expect(expectSuccess(changed)).toEqual({
      ...before,
      url: 'https://example.org/v2',
      events: ['document.created', 'webhook.*'],
      payload: 'thin',
      updatedAt: app.clock.now().toISOString(),
    });
    expect((await api.readWebhook(id)).body.data).toEqual(changed.body.data);
    expect((await auditOf(id)).at(-1)).toEqual({
      action: 'webhook.update',
      details: { changes: ['url', 'events', 'payload'] },
    });
  });

  it('changing a webhook removes the description with null, and accepts the media type of a merge patch', async () => {
    const { api } = await app.account();
    const id = await register(api, { description: 'Index' });
    const changed = await api.send('PATCH', `/v1/webhooks/${id}`, {
      rawBody: '{"description":null}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(expectSuccess(changed)).toMatchObject({ description: null });
  });

  it('changing a webhook writes nothing when nothing changes, even when the response of a read is sent back', async () => {
    const { api } = await app.account();
    const id = await register(api, { description: 'Index' });
    const read = (await api.readWebhook(id)).body.data as object;
    app.clock.advance(5_000);
    for (const patch of [{}, read, { status: 'active', events: ['*', '*'] }]) {
      expect(expectSuccess(await api.patchWebhook(id, patch))).toEqual(read);
    }
    expect(await auditOf(id)).toHaveLength(1);
    expect(await eventsOf(api)).toEqual([]);
  });

  it('changing a webhook applies to events from then on', async () => {
    const { api } = await app.account();
    const id = await register(api, { events: ['document.updated'] });
    await create(api);
    expect(await deliveriesOf(api, id)).toEqual([]);
    await api.patchWebhook(id, { events: ['document.created'] });
    await create(api);
    expect(await deliveriesOf(api, id)).toHaveLength(1);
  });

  it.each([
    ['url', { url: null }, 'must be a string'],
    ['url', { url: 'http://example.com/' }, /must begin with https/],
    ['url', { url: 'https://10.0.0.1/' }, /which is not public/],
    ['events', { events: [] }, /must not be empty/],
    ['events', { events: null }, /must be an array/],
    ['events[0]', { events: ['document.create'] }, /did you mean 'document\.created'/],
    ['description', { description: 7 }, 'must be a string or null'],
    ['payload', { payload: null }, 'must be full or thin'],
    ['status', { status: 'paused' }, 'must be active or disabled'],
    ['status', { status: null }, 'must be active or disabled'],
    ['secret', { secret: 'correct horse' }, /rotate-secret/],
    ['events_', { events_: ['*'] }, /did you mean 'events'/],
  ])('changing a webhook is refused for a wrong %s: %j', async (field, patch, issue) => {
    const { api } = await app.account();
    const id = await register(api);
    const before = (await api.readWebhook(id)).body.data as object;
    const refused = await api.patchWebhook(id, patch);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.problems).toEqual([
      { field, issue: expect.stringMatching(issue) as string },
    ]);
    expect((await api.readWebhook(id)).body.data).toEqual(before);
  });

  it('changing a webhook keeps every one of many concurrent changes', async () => {
    const { api } = await app.account();
    const id = await register(api);
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) =>
        api.patchWebhook(id, { description: `Number ${String(index)}` }),
      ),
      api.patchWebhook(id, { payload: 'thin' }),
      api.patchWebhook(id, { url: 'https://example.org/' }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await api.readWebhook(id)).body.data).toMatchObject({
      payload: 'thin',
      url: 'https://example.org/',
      description: expect.stringMatching(/^Number/) as string,
    });
  });
});

describe('disabling a webhook', () => {
  it('disabling a webhook records the reason, cancels pending deliveries, and plans none for later events', async () => {
    const { api } = await app.account();
    const [id, other] = [await register(api), await register(api, { events: ['document.*'] })];
    await create(api, 3);
    const disabled = await api.patchWebhook(id, { status: 'disabled' });
    expect(expectSuccess(disabled)).toMatchObject({
      status: 'disabled',
      disabledReason: expect.stringMatching(/on request.*active/) as string,
      disabledAt: app.clock.now().toISOString(),
    });
    await create(api);
    const statuses = async (webhook: string) =>
      (await deliveriesOf(api, webhook)).map(({ status }) => status);
    expect(await statuses(id)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await statuses(other)).toEqual(['pending', 'pending', 'pending', 'pending']);
  });

  it('disabling a webhook does not touch what a worker is sending', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await create(api, 2);
    const [held] = await deliveriesOf(api, id);
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET lease_expires_at = now() + interval '1 minute' WHERE id = $1`,
      [decodeId('delivery', held?.id ?? '')],
    );
    await api.patchWebhook(id, { status: 'disabled' });
    const statuses = (await deliveriesOf(api, id)).map(({ status }) => status);
    expect(statuses).toEqual(['pending', 'cancelled']);
  });

  it("disabling a webhook sends webhook.disabled to the account's other webhooks, once, with the actor", async () => {
    const { api } = await app.account();
    const [id, listener] = [await register(api), await register(api, { events: ['webhook.*'] })];
    await api.patchWebhook(id, { status: 'disabled' });
    await api.patchWebhook(id, { status: 'disabled' });
    const events = await eventsOf(api);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'webhook.disabled',
      data: { webhook: (await api.readWebhook(id)).body.data as object },
      actor: { keyId: expect.stringMatching(/^key_/) as string },
    });
    expect(await deliveriesOf(api, id)).toEqual([]);
    expect((await deliveriesOf(api, listener)).map(({ eventType }) => eventType)).toEqual([
      'webhook.disabled',
    ]);
  });

  it('disabling a webhook keeps the reason when something else changes later', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await app.dataSource.query(
      `UPDATE webhooks SET status = 'disabled', disabled_reason = 'Gone.' WHERE id = $1`,
      [decodeId('webhook', id)],
    );
    const changed = await api.patchWebhook(id, { description: 'Old', status: 'disabled' });
    expect(expectSuccess(changed)).toMatchObject({ status: 'disabled', disabledReason: 'Gone.' });
  });
});

describe('the health of a failed receiver', () => {
  const FAILING = `failing_since = now(), consecutive_failures = 12, circuit_opened_at = now(),
    circuit_probe_at = now() + interval '1 minute'`;
  const WELL = {
    failing_since: null,
    consecutive_failures: 0,
    circuit_opened_at: null,
    circuit_probe_at: null,
  };

  it('the health of a failed receiver is reset when the webhook is enabled again, with the reason', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await app.dataSource.query(
      `UPDATE webhooks SET status = 'disabled', disabled_reason = 'Gone.', ${FAILING} WHERE id = $1`,
      [decodeId('webhook', id)],
    );
    const enabled = await api.patchWebhook(id, { status: 'active' });
    expect(expectSuccess(enabled)).toMatchObject({
      status: 'active',
      disabledReason: null,
      disabledAt: null,
    });
    expect(await row(app.dataSource, 'webhooks', id)).toMatchObject(WELL);
  });

  it('the health of a failed receiver is reset when its URL changes, and kept when anything else changes', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await app.dataSource.query(`UPDATE webhooks SET ${FAILING} WHERE id = $1`, [
      decodeId('webhook', id),
    ]);
    await api.patchWebhook(id, { description: 'Soon' });
    expect(await row(app.dataSource, 'webhooks', id)).toMatchObject({ consecutive_failures: 12 });
    await api.patchWebhook(id, { url: 'https://example.com/moved' });
    expect(await row(app.dataSource, 'webhooks', id)).toMatchObject(WELL);
  });
});
