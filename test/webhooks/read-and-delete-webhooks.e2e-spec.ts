import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Listed {
  id: string;
  url: string;
}

async function register(api: ApiClient, url: string): Promise<ApiResponse> {
  const registered = await api.registerWebhook({ url, events: ['document.*'] });
  expect(registered.status).toBe(201);
  return registered;
}

async function accountWith(count: number): Promise<ApiClient> {
  const { api } = await app.account();
  for (let index = 0; index < count; index += 1) {
    await register(api, `https://example.com/${String(index)}`);
    if (index % 2 === 1) app.clock.advance(1000);
  }
  return api;
}

it('reading a webhook returns the same as its registration', async () => {
  const { api } = await app.account();
  const { secret, ...registered } = (await register(api, 'https://example.com')).body.data as {
    id: string;
    secret: string;
  };
  expect(secret).toMatch(/^whsec_/);
  expect(expectSuccess(await api.readWebhook(registered.id))).toEqual(registered);
});

describe('listing webhooks', () => {
  it('listing webhooks returns the newest first, with the exact total, and no other account sees them', async () => {
    const api = await accountWith(23);
    const first = await api.listWebhooks();
    const items = expectSuccess(first) as Listed[];
    expect(items).toHaveLength(20);
    expect(items[0]?.url).toBe('https://example.com/22');
    expect(first.body.meta.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 23,
      pages: 2,
      hasMore: true,
      nextCursor: expect.any(String) as string,
    });
    const stranger = await app.account();
    expect((await stranger.api.listWebhooks()).body).toMatchObject({
      data: [],
      meta: { pagination: { total: 0, pages: 0, hasMore: false } },
    });
  });

  it.each(['created_at', 'updated_at'])(
    'listing webhooks visits every webhook once by %s, by page and by cursor',
    async (sort) => {
      const api = await accountWith(7);
      for (const order of ['asc', 'desc']) {
        const pages = await Promise.all(
          [1, 2, 3, 4].map((page) => api.listWebhooks({ sort, order, limit: 2, page })),
        );
        const byPage = pages.flatMap(({ body }) => (body.data as Listed[]).map(({ id }) => id));
        const byCursor: string[] = [];
        let cursor: string | null | undefined;
        do {
          const { body } = await api.listWebhooks({ sort, order, limit: 2, cursor });
          byCursor.push(...(body.data as Listed[]).map(({ id }) => id));
          cursor = body.meta.pagination.nextCursor as string | null;
        } while (cursor !== null);
        expect(new Set(byPage).size).toBe(7);
        expect(byCursor).toEqual(byPage);
      }
    },
  );

  it.each([
    ['limit', { limit: 101 }],
    ['page', { page: 0 }],
    ['sort', { sort: 'url' }],
    ['order', { order: 'up' }],
    ['status', { status: 'broken' }],
  ])('listing webhooks refuses a wrong %s and names it', async (field, query) => {
    const { api } = await app.account();
    const response = await api.listWebhooks(query);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.field).toBe(field);
  });
});

async function registerEverything(api: ApiClient): Promise<string> {
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
  it('deleting a webhook returns 200 with its ID, and the webhook is gone', async () => {
    const { api } = await app.account();
    const id = await registerEverything(api);
    expect(expectSuccess(await api.deleteWebhook(id))).toEqual({ id, deleted: true });
    expectFailure(await api.readWebhook(id), 404, 'NOT_FOUND');
    expectFailure(await api.deleteWebhook(id), 404, 'NOT_FOUND');
    expect((await api.listWebhooks()).body.data).toEqual([]);
  });

  it('deleting a webhook cancels its pending deliveries, and none of other webhooks', async () => {
    const { api } = await app.account();
    const [deleted, kept] = [await registerEverything(api), await registerEverything(api)];
    await api.createDocument({ title: 'One' });
    await api.createDocument({ title: 'Two' });
    expect(await deliveriesOf(deleted)).toEqual(['pending', 'pending']);
    await api.deleteWebhook(deleted);
    expect(await deliveriesOf(deleted)).toEqual(['cancelled', 'cancelled']);
    expect(await deliveriesOf(kept)).toEqual(['pending', 'pending']);
  });

  it('deleting a webhook leaves the webhook and its deliveries unchanged if the deliveries cannot be cancelled', async () => {
    const { api } = await app.account();
    const id = await registerEverything(api);
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

  it('deleting a webhook plans no deliveries for later events', async () => {
    const { api } = await app.account();
    const id = await registerEverything(api);
    await api.deleteWebhook(id);
    expectSuccess(await api.createDocument({ title: 'Unheard' }), 201);
    expect(await deliveriesOf(id)).toEqual([]);
  });
});

it('filtering the list of webhooks accepts the status, and several parts of the URL', async () => {
  const { api } = await app.account();
  const urls = ['https://a.example.com/In', 'https://b.example.com/in', 'https://c.example.org/_'];
  for (const url of urls) await register(api, url);
  const [last] = (await api.listWebhooks()).body.data as Listed[];
  await api.patchWebhook(last?.id ?? '', { status: 'disabled' });
  const found = async (query: string) => {
    const response = await api.send('GET', `/v1/webhooks?order=asc&${query}`);
    const listed = (expectSuccess(response) as Listed[]).map(({ url }) => urls.indexOf(url));
    expect(response.body.meta.pagination.total).toBe(listed.length);
    return listed.sort();
  };
  expect(await found('status=active')).toEqual([0, 1]);
  expect(await found('status=disabled')).toEqual([2]);
  expect(await found('status=disabled&status=active')).toEqual([0, 1, 2]);
  expect(await found('url=example.com')).toEqual([0, 1]);
  expect(await found(`url=${encodeURIComponent(urls[1] ?? '')}`)).toEqual([1]);
  expect(await found('url=A.EXAMPLE&url=example.org')).toEqual([0, 2]);
  expect(await found('url=%25')).toEqual([]);
  expect(await found('url=_')).toEqual([2]);
  expect(await found('url=example&status=disabled')).toEqual([2]);
  for (const query of ['status=enabled', 'url=', 'url=%00']) {
    const refused = await api.send('GET', `/v1/webhooks?${query}`);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe(query.split('=')[0]);
  }
});
