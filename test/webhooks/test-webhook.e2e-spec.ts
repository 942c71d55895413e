import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { deliveriesOf, register, WITHOUT_WORKER, type Listed } from './managed-webhook.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(WITHOUT_WORKER);
});
afterAll(() => app.close());

describe('testing a webhook', () => {
  it('testing a webhook sends webhook.test to this webhook only, whatever it and others listen to', async () => {
    const { api } = await app.account();
    const id = await register(api, { events: ['document.deleted'] });
    const others = [
      await register(api, { events: ['*'] }),
      await register(api, { events: ['webhook.test', 'webhook.*'] }),
    ];
    const tested = await api.testWebhook(id);
    const delivery = expectSuccess(tested, 202) as Listed;
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_/) as string,
      webhookId: id,
      eventId: expect.stringMatching(/^evt_/) as string,
      eventType: 'webhook.test',
      status: 'pending',
      attemptCount: 0,
      nextAttemptAt: expect.any(String) as string,
      lastResponseStatus: null,
      lastError: null,
      createdAt: app.clock.now().toISOString(),
      completedAt: null,
    });
    expect(await deliveriesOf(api, id)).toEqual([delivery]);
    for (const other of others) expect(await deliveriesOf(api, other)).toEqual([]);
  });

  it('testing a webhook contains the webhook as it is, and is an event like others', async () => {
    const { api, user } = await app.account();
    const id = await register(api, { payload: 'thin' });
    const { body } = await api.testWebhook(id);
    const [event] = (await api.listEvents()).body.data as object[];
    const read = await api.readEvent((body.data as Listed).eventId);
    expect(expectSuccess(read)).toEqual(event);
    expect(event).toMatchObject({
      type: 'webhook.test',
      data: { webhook: (await api.readWebhook(id)).body.data as object },
      actor: { userId: user.id },
      requestId: body.meta.requestId as string,
    });
  });

  it('testing a webhook is refused while the webhook is disabled, and leaves no event', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await api.patchWebhook(id, { status: 'disabled' });
    const refused = await api.testWebhook(id);
    expectFailure(refused, 409, 'INVALID_REQUEST');
    expect(refused.body.error.message).toMatch(/disabled.*Enable it first/);
    expect((await api.listEvents()).body.meta.pagination.total).toBe(1);
  });

  it('testing a webhook accepts no fields, and says so', async () => {
    const { api } = await app.account();
    const id = await register(api);
    const path = `/v1/webhooks/${id}/test`;
    const refused = await api.send('POST', path, { body: { eventType: 'document.created' } });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({
      field: 'eventType',
      issue: 'is not a known field; this request takes none',
    });
    expect(await deliveriesOf(api, id)).toEqual([]);
    expectSuccess(await api.send('POST', path, { body: {} }), 202);
  });

  it('testing a webhook happens once with an Idempotency-Key', async () => {
    const { api } = await app.account();
    const id = await register(api);
    const headers = { 'idempotency-key': 'test-1' };
    const send = () => api.send('POST', `/v1/webhooks/${id}/test`, { headers });
    const [first, retry] = [await send(), await send()];
    expect([first.status, retry.status]).toEqual([202, 202]);
    expect(retry.body.data).toEqual(first.body.data);
    expect(await deliveriesOf(api, id)).toHaveLength(1);
  });
});
