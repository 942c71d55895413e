import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import type { UsageSeriesDto } from '../../src/features/usage/series/dto/usage-series.dto.js';
import { UsageTotals } from '../../src/features/usage/totals/usage-totals.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { respondWith, WebhookReceiver } from '../support/webhook-receiver.js';
import { idsIn, requestIdOf } from '../requests/request-log.js';
import { register as registerReceiver, untilStatus } from './delivery-tools.js';
import { attempt, create, register, WITHOUT_WORKER, type Listed } from './managed-webhook.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(WITHOUT_WORKER);
});
afterAll(() => app.close());

const all = (api: ApiClient, query: Record<string, string | number> = {}) =>
  api.list('/v1/deliveries', query);

describe('the deliveries of an account', () => {
  it('the deliveries of an account are those to all of its webhooks, newest first, and of no other account', async () => {
    const [{ api }, other] = [await app.account(), await app.account()];
    const hooks = [await register(api), await register(api)];
    await register(other.api);
    await create(other.api);
    for (let n = 0; n < 3; n += 1) {
      await create(api);
      app.clock.advance(1_000);
    }
    const list = await all(api);
    const items = expectSuccess(list) as (Listed & { webhookId: string; createdAt: string })[];
    expect(list.body.meta.pagination.total).toBe(6);
    const times = items.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const hook of hooks) {
      const ofHook = idsIn(await api.listDeliveries(hook));
      expect(idsIn(await all(api, { webhookId: hook }))).toEqual(ofHook);
      expect(ofHook).toHaveLength(3);
    }
    await api.deleteWebhook(hooks[0] ?? '');
    expect((await all(api)).body.meta.pagination.total).toBe(6);
    expect(idsIn(await all(api, { webhookId: hooks[0] ?? '' }))).toHaveLength(3);
    expect(idsIn(await all(other.api, { webhookId: hooks[0] ?? '' }))).toEqual([]);
  });

  it('the deliveries of an account support every filter, paging by number and by cursor, each one once', async () => {
    const { api } = await app.account();
    const [one] = [await register(api), await register(api)];
    const start = app.clock.now();
    const [document = ''] = await create(api, 1);
    app.clock.advance(60_000);
    const later = app.clock.now().toISOString();
    await create(api, 4);
    const changed = await api.patchDocument(document, { title: 'Changed' });
    const list = (await all(api, { webhookId: one, limit: 100 })).body.data as Listed[];
    for (const { id } of list.slice(0, 2)) await attempt(app.dataSource, id, 'failed');
    await attempt(app.dataSource, list[2]?.id ?? '', 'succeeded');
    const eventId = list[0]?.eventId ?? '';
    const cases: [Record<string, string>, number][] = [
      [{}, 12],
      [{ status: 'failed' }, 2],
      [{ status: 'succeeded' }, 1],
      [{ status: 'pending' }, 9],
      [{ status: 'pending', webhookId: one }, 3],
      [{ eventType: 'document.updated' }, 2],
      [{ documentId: document }, 4],
      [{ documentId: document, eventType: 'document.created' }, 2],
      [{ eventId }, 2],
      [{ eventId, webhookId: one, status: 'failed' }, 1],
      [{ deliveryId: list[0]?.id ?? '' }, 1],
      [{ deliveryId: list[0]?.id ?? '', status: 'succeeded' }, 0],
      [{ deliveryId: 'dlv_01h455vb4pex5vsknk084sn02q' }, 0],
      [{ requestId: requestIdOf(changed) }, 2],
      [{ since: later }, 10],
      [{ until: later }, 2],
      [{ since: start.toISOString(), until: start.toISOString() }, 0],
      [{ documentId: 'doc_01h455vb4pex5vsknk084sn02q' }, 0],
    ];
    for (const [query, total] of cases) {
      const walked: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await all(api, { ...query, limit: 5, ...(cursor === null ? {} : { cursor }) });
        expectSuccess(page);
        expect({ query, total: page.body.meta.pagination.total as number }).toEqual({
          query,
          total,
        });
        walked.push(...idsIn(page));
        cursor = (page.body.meta.pagination as { nextCursor: string | null }).nextCursor;
      } while (cursor !== null);
      expect(new Set(walked).size).toBe(total);
      const pages = await Promise.all(
        [1, 2, 3].map((page) => all(api, { ...query, limit: 5, page })),
      );
      expect(pages.flatMap(idsIn)).toEqual(walked);
    }
  });

  it.each([
    'webhookId=x',
    'documentId=x',
    'eventId=x',
    'deliveryId=x',
    'requestId=x',
    'since=x',
    'until=',
    'status=x',
  ])('the deliveries of an account refuse the filter ?%s', async (query) => {
    const { api } = await app.account();
    expectFailure(await api.send('GET', `/v1/deliveries?${query}`), 400, 'INVALID_REQUEST');
  });

  it('the deliveries of an account are found by their id or that of their event, in all webhooks and in one', async () => {
    const [{ api }, other] = [await app.account(), await app.account()];
    const [one, two] = [await register(api), await register(api)];
    await create(api, 3);
    const [, delivery] = (await api.listDeliveries(one)).body.data as Listed[];
    const [deliveryId, eventId] = [delivery?.id ?? '', delivery?.eventId ?? ''];
    expect(idsIn(await all(api, { deliveryId }))).toEqual([deliveryId]);
    expect(idsIn(await api.listDeliveries(one, { deliveryId }))).toEqual([deliveryId]);
    expect(idsIn(await api.listDeliveries(one, { eventId }))).toEqual([deliveryId]);
    expect(idsIn(await api.listDeliveries(two, { deliveryId }))).toEqual([]);
    expect(idsIn(await all(api, { eventId }))).toHaveLength(2);
    expect(idsIn(await all(other.api, { deliveryId }))).toEqual([]);
    expectFailure(await api.listDeliveries(one, { deliveryId: 'x' }), 400, 'INVALID_REQUEST');
  });
});

describe('the body of a delivery', () => {
  it('the body of a delivery is shown as sent, in the payload form requested at that time', async () => {
    const { api } = await app.account();
    const [full, thin] = [await register(api), await register(api, { payload: 'thin' })];
    await api.createDocument({ title: 'One', content: 'Only in the full form' });
    const bodyOf = async (hook: string) => {
      const [{ id }] = (await api.listDeliveries(hook)).body.data as [Listed];
      return expectSuccess(await api.readDelivery(hook, id)) as {
        requestBody: string;
        requestBodyTruncated: boolean;
        eventId: string;
      };
    };
    const sent = await bodyOf(full);
    expect(sent.requestBodyTruncated).toBe(false);
    expect(JSON.parse(sent.requestBody)).toEqual((await api.readEvent(sent.eventId)).body.data);
    await api.patchWebhook(thin, { payload: 'full' });
    expect((await bodyOf(thin)).requestBody).not.toContain('Only in the full form');
  });

  it('the body of a delivery is cut after 64 KiB at a whole character, and says so', async () => {
    const { api } = await app.account();
    const hook = await register(api);
    for (const padding of ['', 'x', 'xx', 'xxx']) {
      await api.createDocument({ title: 'Long', content: padding + '😀'.repeat(20_000) });
      const [{ id }] = (await api.listDeliveries(hook)).body.data as [Listed];
      const { requestBody, requestBodyTruncated } = expectSuccess(
        await api.readDelivery(hook, id),
      ) as { requestBody: string; requestBodyTruncated: boolean };
      expect(requestBodyTruncated).toBe(true);
      const bytes = Buffer.byteLength(requestBody);
      expect(bytes).toBeLessThanOrEqual(64 * 1024);
      expect(bytes).toBeGreaterThan(64 * 1024 - 4);
      expect(requestBody.endsWith('😀')).toBe(true);
    }
  });

  it('the body of a delivery is shown without the text of a permanently deleted document', async () => {
    const { api } = await app.account();
    const hook = await register(api);
    const made = await api.createDocument({ title: 'Gone', content: 'Secret text' });
    const { id } = made.body.data as { id: string };
    const [{ id: delivery }] = (await api.listDeliveries(hook)).body.data as [Listed];
    await api.deleteDocument(id, { permanent: true });
    const { text } = await api.readDelivery(hook, delivery);
    expect(text).not.toContain('Secret text');
    expect(text).toContain('removed');
  });
});

it('attempts to deliver are counted by outcome and by webhook', async () => {
  const sending = await startTestApp({
    environment: { PROCESS_ROLE: 'all', WEBHOOK_RETRY_SCHEDULE: '0,0.1' },
    stopClock: false,
  });
  const [good, bad] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
  bad.behave(respondWith(500));
  const { api } = await sending.account();
  const hooks = [
    await registerReceiver(api, good.url),
    await registerReceiver(api, bad.url),
  ] as const;
  await api.createDocument({ title: 'One' });
  await untilStatus(sending.dataSource, hooks[0], 'succeeded');
  await untilStatus(sending.dataSource, hooks[1], 'failed');
  await sending.app.get(BackgroundTasks).runAll();
  const series = async (query: Record<string, string>) => {
    await sending.app.get(UsageTotals).write();
    const list = await api.list('/v1/usage/series', {
      metric: 'deliveries',
      step: 'hour',
      ...query,
    });
    return (expectSuccess(list) as UsageSeriesDto).points;
  };
  const sumOf = (points: UsageSeriesDto['points'], group: string) =>
    points.reduce((all, { groups }) => all + (groups?.[group]?.count ?? 0), 0);
  const outcomes = await eventually(
    () => series({ by: 'outcome' }),
    (points) => points.reduce((sum, { count }) => sum + count, 0) === 3,
  );
  for (const outcome of ['succeeded', 'retried', 'failed']) {
    expect(sumOf(outcomes, outcome)).toBe(1);
  }
  const webhooks = await series({ by: 'webhook' });
  expect(sumOf(webhooks, encodeId('webhook', hooks[1]))).toBe(2);
  const one = await series({ webhookId: encodeId('webhook', hooks[0]) });
  expect(one.reduce((sum, { count }) => sum + count, 0)).toBe(1);
  await good.close();
  await bad.close();
  await sending.close();
});
