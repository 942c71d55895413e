import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiResponse } from '../support/api-client.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import {
  attempt,
  create,
  deliveriesOf,
  register,
  WITHOUT_WORKER,
  type Listed,
} from './managed-webhook.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(WITHOUT_WORKER);
});
afterAll(() => app.close());

const NOBODYS = 'dlv_01h455vb4pex5vsknk084sn02q';
const UNKNOWN_WEBHOOK = 'wh_01h455vb4pex5vsknk084sn02q';

const idsIn = ({ body }: ApiResponse) => (body.data as Listed[]).map(({ id }) => id);

describe('the deliveries of a webhook', () => {
  it('the deliveries of a webhook are listed newest first, with the exact total, and those of no other webhook', async () => {
    const { api } = await app.account();
    const [id, other] = [await register(api), await register(api)];
    for (let index = 0; index < 3; index += 1) {
      await create(api);
      app.clock.advance(1_000);
    }
    await api.deleteWebhook(other);
    const list = await api.listDeliveries(id, { limit: 2 });
    const items = expectSuccess(list) as Listed[];
    expect(items).toHaveLength(2);
    expect(list.body.meta.pagination).toEqual({
      page: 1,
      limit: 2,
      total: 3,
      pages: 2,
      hasMore: true,
      nextCursor: expect.any(String) as string,
    });
    const events = (await api.listEvents()).body.data as { id: string }[];
    expect((await deliveriesOf(api, id)).map(({ eventId }) => eventId)).toEqual(
      events.map(({ id: event }) => event).toReversed(),
    );
    expect(items[0]).toMatchObject({
      webhookId: id,
      eventType: 'document.created',
      status: 'pending',
      attemptCount: 0,
    });
  });

  it('the deliveries of a webhook can be paged by number and by cursor, each one once, even filtered', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await create(api, 9);
    for (const { id: delivery } of (await deliveriesOf(api, id)).slice(0, 5)) {
      await attempt(app.dataSource, delivery, 'failed');
    }
    await api.testWebhook(id);
    const filters: [object, number][] = [
      [{}, 10],
      [{ status: 'failed' }, 5],
      [{ status: 'pending' }, 5],
      [{ status: 'pending', eventType: 'document.created' }, 4],
      [{ eventType: 'webhook.test' }, 1],
      [{ status: 'succeeded' }, 0],
      [{ status: 'failed', eventType: 'webhook.test' }, 0],
    ];
    for (const [filter, total] of filters) {
      for (const order of ['asc', 'desc']) {
        const query = { ...filter, order, limit: 2 };
        const pages = await Promise.all(
          [1, 2, 3, 4, 5, 6].map((page) => api.listDeliveries(id, { ...query, page })),
        );
        for (const page of pages) expect(page.body.meta.pagination).toMatchObject({ total });
        const byPage = pages.flatMap(idsIn);
        const byCursor: string[] = [];
        let cursor: string | null | undefined;
        do {
          const page = await api.listDeliveries(id, { ...query, cursor });
          expect(page.body.meta.pagination.total).toBe(total);
          byCursor.push(...idsIn(page));
          cursor = page.body.meta.pagination.nextCursor as string | null;
        } while (cursor !== null);
        expect(new Set(byPage).size).toBe(total);
        expect(byCursor).toEqual(byPage);
      }
    }
  });

  it.each([
    ['status', { status: 'lost' }, /pending, succeeded, failed, cancelled/],
    ['eventType', { eventType: 'document.*' }, /document\.created/],
    ['sort', { sort: 'status' }, /created_at/],
    ['limit', { limit: 101 }, /1 to 100/],
    ['eventTypes', { eventTypes: 'x' }, /did you mean 'eventType'/],
  ])('the deliveries of a webhook are not listed for a wrong %s', async (field, query, issue) => {
    const { api } = await app.account();
    const refused = await api.listDeliveries(await register(api), query);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({
      field,
      issue: expect.stringMatching(issue) as string,
    });
  });
});

describe('a delivery', () => {
  it('a delivery shows what was sent, what came back, how long it took, and what to do', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await create(api);
    const [{ id: delivery } = { id: '' }] = await deliveriesOf(api, id);
    await attempt(app.dataSource, delivery, 'pending');
    const waiting = expectSuccess(await api.readDelivery(id, delivery)) as Listed;
    expect(waiting).toMatchObject({
      status: 'pending',
      attemptCount: 1,
      nextAttemptAt: expect.any(String) as string,
      lastResponseStatus: null,
      lastError: { class: 'connect_refused', message: 'Nothing listens there.' },
      completedAt: null,
    });
    await attempt(app.dataSource, delivery, 'succeeded');
    const done = expectSuccess(await api.readDelivery(id, delivery));
    expect(done).toMatchObject({
      id: delivery,
      status: 'succeeded',
      attemptCount: 2,
      nextAttemptAt: null,
      lastResponseStatus: 200,
      lastError: null,
      completedAt: expect.any(String) as string,
      attempts: [
        {
          number: 1,
          startedAt: '2026-03-01T12:00:00.000Z',
          durationMs: 42,
          requestHeaders: { 'webhook-id': 'evt_x' },
          responseStatus: null,
          responseHeaders: null,
          responseBody: null,
          error: { class: 'connect_refused', message: 'Nothing listens there.' },
        },
        {
          number: 2,
          responseStatus: 200,
          responseHeaders: { 'content-type': 'text/plain' },
          responseBody: 'ok',
          error: null,
        },
      ],
    });
    const [listed] = (await api.listDeliveries(id)).body.data as object[];
    expect(done).toEqual({
      ...listed,
      requestBody: expect.stringContaining('"type":"document.created"') as string,
      requestBodyTruncated: false,
      maxAttempts: 10,
      attempts: expect.any(Array) as unknown[],
    });
  });

  it('a delivery shows its last 50 attempts when there are more', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await create(api);
    const [{ id: delivery } = { id: '' }] = await deliveriesOf(api, id);
    for (let index = 0; index < 52; index += 1) {
      await attempt(app.dataSource, delivery, 'pending');
    }
    const { attempts, attemptCount } = expectSuccess(await api.readDelivery(id, delivery)) as {
      attempts: { number: number }[];
      attemptCount: number;
    };
    expect(attemptCount).toBe(52);
    expect(attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 3),
    );
  });

  it('a delivery is unknown to other accounts and below other webhooks: the response is the same as for an unknown ID', async () => {
    const [owner, stranger] = [await app.account(), await app.account()];
    const [id, other] = [await register(owner.api), await register(owner.api)];
    const mine = await register(stranger.api);
    await create(owner.api);
    const [{ id: delivery } = { id: '' }] = await deliveriesOf(owner.api, id);
    const withoutRequest = ({ text }: ApiResponse) => text.replace(/req_\w+/, '');
    const same = async (responses: Promise<ApiResponse>[]) => {
      const all = await Promise.all(responses);
      for (const response of all) expectFailure(response, 404, 'NOT_FOUND');
      expect(new Set(all.map(withoutRequest)).size).toBe(1);
    };
    await same([
      stranger.api.readDelivery(mine, delivery),
      stranger.api.readDelivery(mine, NOBODYS),
      owner.api.readDelivery(other, delivery),
      owner.api.readDelivery(other, 'evt_01h455vb4pex5vsknk084sn02q'),
      stranger.api.redeliver(mine, delivery),
      stranger.api.redeliver(mine, NOBODYS),
      owner.api.redeliver(other, delivery),
      owner.api.redeliver(other, 'x'),
    ]);
    await same([
      stranger.api.readDelivery(id, delivery),
      stranger.api.readDelivery(UNKNOWN_WEBHOOK, NOBODYS),
      stranger.api.listDeliveries(id),
      stranger.api.listDeliveries(UNKNOWN_WEBHOOK),
      stranger.api.redeliver(id, delivery),
      stranger.api.recover(id, { since: '2026-01-01T00:00:00Z' }),
      stranger.api.recover('wh_', { since: '2026-01-01T00:00:00Z' }),
    ]);
    expect(await deliveriesOf(owner.api, id)).toMatchObject([{ id: delivery, attemptCount: 0 }]);
  });
});
