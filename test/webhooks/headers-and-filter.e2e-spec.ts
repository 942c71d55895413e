import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { deliveriesOf, register, row, type Listed } from './managed-webhook.js';

let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, stopClock: false });
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());
afterAll(() => app.close());

const TOKEN = 'Bearer 3rMv8kTq2LxWn5Zc';
const headersOf = async (api: ApiClient, id: string) =>
  (expectSuccess(await api.readWebhook(id)) as { headers: object }).headers;

describe('the headers of a webhook', () => {
  it('the headers of a webhook are sent with every delivery and its test, next to the signature', async () => {
    const { api } = await app.account();
    const headers = { Authorization: TOKEN, 'X-Tenant': 'blue' };
    const id = await register(api, { url: receiver.url, headers });
    await api.createDocument({ title: 'One' });
    expect((await api.testWebhook(id)).status).toBe(202);
    for (const received of await receiver.gets(2)) {
      expect(received.headers).toMatchObject({
        authorization: TOKEN,
        'x-tenant': 'blue',
        'content-type': 'application/json',
        'webhook-signature': expect.stringMatching(/^v1,/) as string,
      });
    }
  });

  it('the headers of a webhook show only the end of their values, in responses, deliveries, events and the audit log', async () => {
    const { api, accountId } = await app.account();
    const registered = await api.registerWebhook({
      url: receiver.url,
      events: ['*'],
      headers: { 'X-Short': 'abc', Authorization: TOKEN },
    });
    const shown = { Authorization: '••••n5Zc', 'X-Short': '••••' };
    const { id } = expectSuccess(registered, 201) as { id: string };
    expect(registered.body.data.headers).toEqual(shown);
    expect(await headersOf(api, id)).toEqual(shown);
    await api.createDocument({ title: 'One' });
    await receiver.gets(1);
    const read = await eventually(
      async () => {
        const [delivery] = await deliveriesOf(api, id);
        return api.readDelivery(id, delivery?.id ?? '');
      },
      ({ body }) => (body.data?.attempts ?? []).length > 0,
    );
    expect(read.body.data.attempts[0].requestHeaders).toMatchObject({
      Authorization: '••••n5Zc',
      'X-Short': '••••',
    });
    await api.patchWebhook(id, { headers: { 'X-Short': 'abcd' } });
    await api.patchWebhook(id, { status: 'disabled' });
    for (const path of ['/v1/webhooks', '/v1/events', '/v1/audit', '/v1/deliveries']) {
      expect((await api.send('GET', path)).text).not.toContain('3rMv8k');
    }
    const stored = await app.dataSource.query<{ texts: string }[]>(
      `SELECT string_agg(webhooks::text, ' ') AS texts FROM webhooks WHERE account_id = $1`,
      [accountId],
    );
    expect(stored[0]?.texts).not.toContain('3rMv8k');
    expect((await row(app.dataSource, 'webhooks', id))['headers_encrypted']).toBeInstanceOf(Buffer);
  });

  it('the headers of a webhook change one by one, in any case; null removes, and masked values stay', async () => {
    const { api } = await app.account();
    const id = await register(api, {
      url: receiver.url,
      headers: { Authorization: TOKEN, 'X-Old': 'old' },
    });
    const before = expectSuccess(await api.readWebhook(id)) as object;
    expect(expectSuccess(await api.patchWebhook(id, before))).toEqual(before);
    const patch = { headers: { 'x-old': null, 'X-New': 'new-value-of-16-ch' } };
    expect(expectSuccess(await api.patchWebhook(id, patch))).toMatchObject({
      headers: { Authorization: '••••n5Zc', 'X-New': '••••6-ch' },
    });
    const replaced = { authorization: 'Bearer Jd7sPq1VbYh9Rt4K' };
    expectSuccess(await api.patchWebhook(id, { headers: replaced }));
    expect(await headersOf(api, id)).toEqual({ authorization: '••••Rt4K', 'X-New': '••••6-ch' });
    await api.createDocument({ title: 'One' });
    const [received] = await receiver.gets(1);
    expect(received?.headers).toMatchObject({ authorization: replaced.authorization });
    expect(received?.headers).not.toHaveProperty('x-old');
    const wrongMask = await api.patchWebhook(id, { headers: { authorization: '••••xxxx' } });
    expectFailure(wrongMask, 400, 'INVALID_REQUEST');
    expect(wrongMask.body.error.details.field).toBe('headers.authorization');
    expectSuccess(await api.patchWebhook(id, { headers: null }));
    expect(await headersOf(api, id)).toEqual({});
  });

  it('the headers of a webhook are not sent to another origin by a client that does not know them', async () => {
    const { api } = await app.account();
    const id = await register(api, { headers: { Authorization: TOKEN } });
    const url = 'https://collector.example.net/hook';
    for (const headers of [undefined, {}, { Authorization: '••••n5Zc' }, { 'X-Other': 'x' }]) {
      const refused = await api.patchWebhook(id, { url, headers });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe('headers');
    }
    expectSuccess(await api.patchWebhook(id, { url: 'https://example.com/elsewhere' }));
    expectSuccess(await api.patchWebhook(id, { url, headers: { authorization: TOKEN } }));
    const back = { url: 'https://example.com/', headers: { Authorization: null } };
    expect(expectSuccess(await api.patchWebhook(id, back))).toMatchObject({ headers: {} });
  });

  it('the headers of a webhook are refused with every problem', async () => {
    const { api } = await app.account();
    const wrong: [unknown, string][] = [
      [['Authorization: x'], 'headers'],
      ['Authorization: x', 'headers'],
      [{ Host: 'x' }, 'headers.Host'],
      [{ 'content-type': 'x' }, 'headers.content-type'],
      [{ 'Webhook-Signature': 'x' }, 'headers.Webhook-Signature'],
      [{ 'Transfer-Encoding': 'chunked' }, 'headers.Transfer-Encoding'],
      [{ Connection: 'close' }, 'headers.Connection'],
      [{ 'User-Agent': 'x' }, 'headers.User-Agent'],
      [{ 'X Y': 'x' }, 'headers.X Y'],
      [{ 'X-Y:': 'x' }, 'headers.X-Y:'],
      [{ '': 'x' }, 'headers.'],
      [{ 'X-Y': 'a\r\nX-Z: b' }, 'headers.X-Y'],
      [{ 'X-Y': 'ünïcode' }, 'headers.X-Y'],
      [{ 'X-Y': ' x' }, 'headers.X-Y'],
      [{ 'X-Y': '' }, 'headers.X-Y'],
      [{ 'X-Y': 7 }, 'headers.X-Y'],
      [{ 'X-Y': null }, 'headers.X-Y'],
      [{ 'X-Y': '••••abcd' }, 'headers.X-Y'],
      [{ 'X-Y': 'x', 'x-y': 'x' }, 'headers.X-Y'],
      [{ 'X-Y': 'x'.repeat(4096) }, 'headers'],
      [
        Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${String(n)}`, 'x'])),
        'headers',
      ],
    ];
    for (const [headers, field] of wrong) {
      const body = { url: 'https://example.com/', events: ['*'], headers };
      const refused = await api.registerWebhook(body);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe(field);
    }
    expect((await api.listWebhooks()).body.data).toEqual([]);
  });
});

describe('the filter of a webhook', () => {
  const titles = async (api: ApiClient, webhook: string) => {
    const deliveries: Listed[] = await deliveriesOf(api, webhook);
    const events = await Promise.all(deliveries.map(({ eventId }) => api.readEvent(eventId)));
    return events.map(({ body }) => {
      const { document } = body.data.data as { document?: { title?: string; id: string } };
      return [body.data.type, document?.title ?? ''].join(' ').trim();
    });
  };
  const made = async (api: ApiClient, body: object) =>
    (expectSuccess(await api.createDocument(body), 201) as { id: string }).id;

  it('the filter of a webhook passes documents with any value of each given kind', async () => {
    const { api } = await app.account();
    const all = await register(api);
    const reports = await register(api, { filter: { types: ['report', 'article'] } });
    const tagged = await register(api, { filter: { tags: ['q3', 'finance'] } });
    const both = await register(api, { filter: { types: ['report'], projects: ['apollo'] } });
    await made(api, { title: 'Plain' });
    await made(api, { title: 'Report', type: 'report', metadata: { tags: ['q3', 'x'] } });
    await made(api, { title: 'Apollo', type: 'report', metadata: { project: 'apollo' } });
    await made(api, { title: 'Note', metadata: { project: 'apollo', tags: ['Finance'] } });
    const created = (...names: string[]) => names.map((name) => `document.created ${name}`);
    expect(await titles(api, all)).toEqual(created('Plain', 'Report', 'Apollo', 'Note'));
    expect(await titles(api, reports)).toEqual(created('Report', 'Apollo'));
    expect(await titles(api, tagged)).toEqual(created('Report'));
    expect(await titles(api, both)).toEqual(created('Apollo'));
  });

  it('the filter of a webhook passes the change by which a document starts or stops matching, and no later change', async () => {
    const { api } = await app.account();
    const id = await made(api, { title: 'Wanderer', metadata: { tags: ['a'] } });
    const toB = await register(api, { filter: { tags: ['b'] }, events: ['document.updated'] });
    const patch = (body: object) => api.send('PATCH', `/v1/documents/${id}`, { body });
    await patch({ title: 'Not yet' });
    await patch({ title: 'Comes', metadata: { tags: ['b'] } });
    await patch({ title: 'Stays' });
    await patch({ title: 'Leaves', metadata: { tags: null } });
    await patch({ title: 'Gone' });
    expect(await titles(api, toB)).toEqual(
      ['Comes', 'Stays', 'Leaves'].map((title) => `document.updated ${title}`),
    );
  });

  it('the filter of a webhook must match one state as a whole, not one kind before and the other after', async () => {
    const { api } = await app.account();
    const id = await made(api, { title: 'Mixed', type: 'report', metadata: { project: 'x' } });
    const filter = { types: ['report'], projects: ['apollo'] };
    const webhook = await register(api, { filter, events: ['document.updated'] });
    const body = { type: 'article', metadata: { project: 'apollo' } };
    expectSuccess(await api.send('PATCH', `/v1/documents/${id}`, { body }));
    expect(await titles(api, webhook)).toEqual([]);
  });

  it('the filter of a webhook applies to moving to the trash, restoring and permanent deletion', async () => {
    const { api } = await app.account();
    const webhook = await register(api, { filter: { projects: ['apollo'] } });
    const other = await register(api, { filter: { projects: ['gemini'] } });
    const id = await made(api, { title: 'Moved', metadata: { project: 'apollo' } });
    await api.send('DELETE', `/v1/documents/${id}`);
    await api.send('POST', `/v1/documents/${id}/restore`);
    await api.send('DELETE', `/v1/documents/${id}?permanent=true`);
    const types = (await deliveriesOf(api, webhook)).map(({ eventType }) => eventType);
    expect(types).toEqual([
      'document.created',
      'document.deleted',
      'document.restored',
      'document.deleted',
    ]);
    expect(await deliveriesOf(api, other)).toEqual([]);
  });

  it('the filter of a webhook passes every event that is not about a document, and every test', async () => {
    const { api } = await app.account();
    const webhook = await register(api, { url: receiver.url, filter: { types: ['report'] } });
    const other = await register(api, { url: receiver.url });
    expect((await api.testWebhook(webhook)).status).toBe(202);
    await api.patchWebhook(other, { status: 'disabled' });
    const types = (await deliveriesOf(api, webhook)).map(({ eventType }) => eventType);
    expect(types).toEqual(['webhook.test', 'webhook.disabled']);
  });

  it('the filter of a webhook changes kind by kind, for events from then on', async () => {
    const { api } = await app.account();
    const filter = { types: ['report', 'report'], tags: ['a'] };
    const id = await register(api, { filter });
    const shown = async () =>
      (expectSuccess(await api.readWebhook(id)) as { filter: unknown }).filter;
    expect(await shown()).toEqual({ types: ['report'], tags: ['a'] });
    const before = expectSuccess(await api.readWebhook(id)) as object;
    expect(expectSuccess(await api.patchWebhook(id, before))).toEqual(before);
    await made(api, { title: 'Too early' });
    expectSuccess(await api.patchWebhook(id, { filter: { tags: null, projects: ['apollo'] } }));
    expect(await shown()).toEqual({ types: ['report'], projects: ['apollo'] });
    expectSuccess(await api.patchWebhook(id, { filter: { types: null, projects: null } }));
    expect(await shown()).toBeNull();
    await made(api, { title: 'All pass' });
    expect(await titles(api, id)).toEqual(['document.created All pass']);
    expectSuccess(await api.patchWebhook(id, { filter: { types: ['article'] } }));
    expectSuccess(await api.patchWebhook(id, { filter: null }));
    expect(await shown()).toBeNull();
  });

  it('the filter of a webhook is refused with every problem', async () => {
    const { api } = await app.account();
    const wrong: [unknown, string][] = [
      ['report', 'filter'],
      [['report'], 'filter'],
      [{ type: ['report'] }, 'filter.type'],
      [{ types: 'report' }, 'filter.types'],
      [{ types: [] }, 'filter.types'],
      [{ types: ['reports'] }, 'filter.types[0]'],
      [{ tags: ['a', 7] }, 'filter.tags[1]'],
      [{ tags: [''] }, 'filter.tags[0]'],
      [{ projects: ['x'.repeat(201)] }, 'filter.projects[0]'],
      [{ projects: Array.from({ length: 51 }, String) }, 'filter.projects'],
    ];
    for (const [filter, field] of wrong) {
      const body = { url: 'https://example.com/', events: ['*'], filter };
      const refused = await api.registerWebhook(body);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe(field);
    }
  });

  it('the filter of a webhook compares only 100 unknown names with the known ones', async () => {
    const { api } = await app.account();
    const filter = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, n) => [`n${String(n)}`, 1]),
    );
    const body = { url: 'https://example.com/', events: ['*'], filter };
    const refused = await api.registerWebhook(body);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.message).toMatch(
      /^filter\.n0: is not a known field.*\(and 99 more\)$/,
    );
  });
});
