import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { StreamClient } from './stream-client.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

interface Listed {
  id: string;
  type: string;
  data: { document: { id: string } };
}

interface Place {
  limit: number;
  total: number;
  hasMore: boolean;
  nextCursor: string;
}

interface FollowedPage {
  ids: string[];
  place: Place;
}

function pageOf(response: ApiResponse): FollowedPage {
  const ids = (expectSuccess(response) as Listed[]).map(({ id }) => id);
  return { ids, place: response.body.meta.pagination as Place };
}

async function follow(api: ApiClient, after: string, query: object = {}): Promise<FollowedPage> {
  return pageOf(await api.listEvents({ ...query, after }));
}

async function create(api: ApiClient, title = 'Followed'): Promise<string> {
  return (expectSuccess(await api.createDocument({ title }), 201) as { id: string }).id;
}

/** Returns the events of an account by `createdAt`, oldest first. */
async function listed(api: ApiClient): Promise<string[]> {
  return pageOf(await api.listEvents({ order: 'asc', limit: 100 })).ids;
}

/** Makes the oldest events of an account older than the retention time and purges them. */
async function expire(accountId: string, count: number): Promise<void> {
  await app.dataSource.query(
    `UPDATE events SET id = ('00000000000070008000' || right(replace(id::text, '-', ''), 12))::uuid
      WHERE id IN (SELECT id FROM events WHERE account_id = $1 ORDER BY position LIMIT $2)`,
    [accountId, count],
  );
  await app.app.get(BackgroundTasks).runAll();
}

interface Expired {
  field: string;
  issue: string;
  oldestCursor: string;
}

function expiredIn(response: ApiResponse, field = 'after'): Expired {
  expectFailure(response, 400, 'INVALID_REQUEST');
  const details = response.body.error.details as unknown as Expired;
  expect(details.field).toBe(field);
  expect(typeof details.oldestCursor).toBe('string');
  return details;
}

describe('following events by GET /v1/events?after=', () => {
  it('following events by GET /v1/events?after= starts with the oldest event and always returns a cursor that works later', async () => {
    const { api } = await app.account();
    const empty = await follow(api, 'start');
    expect(empty.ids).toEqual([]);
    expect(empty.place).toEqual({
      limit: 20,
      total: 0,
      hasMore: false,
      nextCursor: expect.any(String) as string,
    });
    for (let n = 0; n < 5; n += 1) await create(api);
    const all = await listed(api);
    const first = await follow(api, empty.place.nextCursor, { limit: 2 });
    expect(first.ids).toEqual(all.slice(0, 2));
    expect(first.place).toMatchObject({ total: 5, hasMore: true });
    const rest = await follow(api, first.place.nextCursor);
    expect(rest.ids).toEqual(all.slice(2));
    expect(rest.place).toMatchObject({ total: 3, hasMore: false });
    const quiet = await follow(api, rest.place.nextCursor);
    expect(quiet.ids).toEqual([]);
    expect(quiet.place.nextCursor).toBe(rest.place.nextCursor);
    await create(api);
    expect((await follow(api, quiet.place.nextCursor)).ids).toEqual((await listed(api)).slice(5));
  });

  it('following events by GET /v1/events?after= starts now, or after an event', async () => {
    const { api } = await app.account();
    const beforeAny = await follow(api, 'now');
    for (let n = 0; n < 3; n += 1) await create(api);
    const all = await listed(api);
    expect((await follow(api, beforeAny.place.nextCursor)).ids).toEqual(all);
    const now = await follow(api, 'now');
    expect(now.ids).toEqual([]);
    expect((await follow(api, all[0] ?? '')).ids).toEqual(all.slice(1));
    await create(api);
    expect((await follow(api, now.place.nextCursor)).ids).toEqual((await listed(api)).slice(3));
  });

  it('following events by GET /v1/events?after= has the same order and positions as the stream', async () => {
    const { api, key } = await app.account();
    for (let n = 0; n < 4; n += 1) await create(api);
    const { ids } = await follow(api, 'start');
    const { place } = await follow(api, 'start', { limit: 2 });
    for (const lastEventId of [ids[1] ?? '', place.nextCursor]) {
      const stream = (await StreamClient.open(app.origin, key, { lastEventId })).listen();
      expect((await stream.nextOnes(2)).map(({ id }) => id)).toEqual(ids.slice(2));
      stream.leave();
    }
  });

  it('following events by GET /v1/events?after= moves its cursor past events that the filters exclude', async () => {
    const { api, accountId } = await app.account();
    const id = await create(api);
    for (const title of ['B', 'C']) await api.patchDocument(id, { title });
    const query = { type: 'document.deleted' };
    const { ids, place } = await follow(api, 'start', query);
    expect([ids, place.total, place.hasMore]).toEqual([[], 0, false]);
    // The cursor is after the events that did not match, so it outlives them.
    await expire(accountId, 3);
    await api.deleteDocument(id);
    expect((await follow(api, place.nextCursor, query)).ids).toHaveLength(1);
  });

  it('following events by GET /v1/events?after= filters by type, document and request, together', async () => {
    const { api } = await app.account();
    const [one, two] = [await create(api), await create(api)];
    const patched = await api.patchDocument(one, { title: 'B' });
    const all = await listed(api);
    const by = async (query: object) => (await follow(api, 'start', query)).ids;
    expect(await by({ type: 'document.created' })).toEqual(all.slice(0, 2));
    expect(await by({ type: '*' })).toEqual(all);
    expect(await by({ documentId: one })).toEqual([all[0], all[2]]);
    expect(await by({ documentId: two, type: 'document.updated' })).toEqual([]);
    expect(await by({ requestId: patched.body.meta.requestId })).toEqual([all[2]]);
  });

  it('following events by GET /v1/events?after= examines 10,000 events per request and says that there are more', async () => {
    const { api, accountId } = await app.account();
    await app.dataSource.query(
      `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
       SELECT gen_random_uuid(), $1, CASE WHEN n = 10001 THEN 'document.deleted' ELSE 'document.updated' END, NULL, '{}',
              json_build_object('id', n)::text, now() FROM generate_series(1, 10001) AS n`,
      [accountId],
    );
    const first = await follow(api, 'start', { type: 'document.deleted' });
    expect(first.ids).toEqual([]);
    expect(first.place).toMatchObject({ total: 0, hasMore: true, totalIsLowerBound: true });
    const second = await follow(api, first.place.nextCursor, { type: 'document.deleted' });
    expect(second.ids).toEqual([10_001]);
    expect(second.place).toMatchObject({ total: 1, hasMore: false });
    const whole = await follow(api, 'start', { limit: 1 });
    expect(whole.place).toMatchObject({ total: 10_000, totalIsLowerBound: true });
  });

  it('following events by GET /v1/events?after= misses no event that commits late, however often it polls in the meantime', async () => {
    const { api, accountId } = await app.account();
    const session = app.dataSource.createQueryRunner();
    await session.startTransaction();
    await session.query(
      `INSERT INTO events (id, account_id, type, full_body, thin_body, created_at)
       VALUES ($1, $2, 'document.updated', '{}', '{"id":"late"}', now())`,
      [newUuid(), accountId],
    );
    await create(api);
    const held = await follow(api, 'start');
    expect(held.ids).toEqual([]);
    const now = await follow(api, 'now');
    await session.commitTransaction();
    await session.release();
    const { ids } = await follow(api, held.place.nextCursor);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe('late');
    expect((await follow(api, now.place.nextCursor)).ids).toEqual(ids);
  });

  it.each([
    ['a text that is no cursor', 'after', 'after=x'],
    ['an empty text', 'after', 'after='],
    ['two of them', 'after', 'after=start&after=now'],
    ['page', 'page', 'after=start&page=1'],
    ['cursor', 'cursor', 'after=start&cursor=x'],
    ['sort', 'sort', 'after=start&sort=created_at'],
    ['order', 'order', 'after=start&order=asc'],
    ['since', 'since', 'after=start&since=2026-01-01'],
    ['until', 'until', 'after=now&until=2026-01-01'],
    ['a wrong limit', 'limit', 'after=start&limit=101'],
  ])(
    'following events by GET /v1/events?after= refuses %s and names the parameter',
    async (_, field, query) => {
      const { api } = await app.account();
      const refused = await api.send('GET', `/v1/events?${query}`);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe(field);
    },
  );

  it('following events by GET /v1/events?after= refuses a cursor of the list by time, of other filters, and of another account', async () => {
    const { api } = await app.account();
    for (let n = 0; n < 3; n += 1) await create(api);
    const numbered = (await api.listEvents({ limit: 1 })).body.meta.pagination.nextCursor as string;
    expectFailure(await api.listEvents({ after: numbered }), 400, 'INVALID_REQUEST');
    const { place } = await follow(api, 'start', { limit: 1 });
    expectFailure(await api.listEvents({ cursor: place.nextCursor }), 400, 'INVALID_REQUEST');
    const other = await api.listEvents({ after: place.nextCursor, type: 'document.created' });
    expectFailure(other, 400, 'INVALID_REQUEST');
    expect(other.body.error.details.issue).toContain('other filters');
    const stranger = await app.account();
    const responses = await Promise.all(
      [(await listed(api))[0], 'evt_01h455vb4pex5vsknk084sn02q', 'evt_x'].map((after) =>
        stranger.api.listEvents({ after }),
      ),
    );
    const texts = responses.map((reply) => JSON.stringify(expiredIn(reply)));
    expect(new Set(texts).size).toBe(1);
    expiredIn(await stranger.api.listEvents({ after: place.nextCursor }));
  });
});

describe('events that expire while a client follows them', () => {
  it('events that expire while a client follows them invalidate exactly the older positions, with a cursor from which everything stored can be read', async () => {
    const { api, accountId, key } = await app.account();
    for (let n = 0; n < 6; n += 1) await create(api);
    const all = await listed(api);
    const start = await follow(api, 'start', { limit: 1 });
    const cursors = [start.place.nextCursor];
    while (cursors.length < 6) {
      const { place } = await follow(api, cursors.at(-1) ?? '', { limit: 1 });
      cursors.push(place.nextCursor);
    }
    await expire(accountId, 3);
    for (const cursor of cursors.slice(0, 2)) {
      const { oldestCursor, issue } = expiredIn(await api.listEvents({ after: cursor }));
      expect(issue).toContain('expired');
      expect((await follow(api, oldestCursor)).ids).toEqual(all.slice(3));
      const stream = await StreamClient.open(app.origin, key, { lastEventId: oldestCursor });
      expect((await stream.listen().nextOnes(3)).map(({ id }) => id)).toEqual(all.slice(3));
      stream.leave();
    }
    for (const [index, cursor] of cursors.slice(2).entries()) {
      expect((await follow(api, cursor)).ids).toEqual(all.slice(index + 3));
    }
    // Purged ids are unknown, but the error still says where to continue.
    const { oldestCursor } = expiredIn(await api.listEvents({ after: all[0] ?? '' }));
    expect((await follow(api, oldestCursor)).ids).toEqual(all.slice(3));
    expect((await follow(api, 'start')).ids).toEqual(all.slice(3));
  });

  it('events that expire while a client follows them leave the cursor of a quiet account usable', async () => {
    const { api, accountId } = await app.account();
    for (let n = 0; n < 2; n += 1) await create(api);
    const { place } = await follow(api, 'start');
    await expire(accountId, 2);
    expect((await follow(api, place.nextCursor)).ids).toEqual([]);
    const now = await follow(api, 'now');
    await create(api);
    const left = await listed(api);
    expect((await follow(api, place.nextCursor)).ids).toEqual(left);
    expect((await follow(api, now.place.nextCursor)).ids).toEqual(left);
  });

  it('events that expire while a client follows them do not stop a client that reads older events still pending for a webhook', async () => {
    const { api, accountId } = await app.account();
    await api.registerWebhook({ url: 'http://127.0.0.1:1', events: ['document.created'] });
    const document = await create(api);
    await create(api);
    await api.deleteDocument(document);
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now() + interval '1 day' WHERE account_id = $1`,
      [accountId],
    );
    await app.dataSource.query(
      `WITH aged AS (
         SELECT id, ('00000000000070008000' || right(replace(id::text, '-', ''), 12))::uuid AS older
           FROM events WHERE account_id = $1
       ), moved AS (UPDATE events SET id = older FROM aged WHERE events.id = aged.id)
       UPDATE webhook_deliveries SET event_id = older FROM aged WHERE event_id = aged.id`,
      [accountId],
    );
    await app.app.get(BackgroundTasks).runAll();
    expect(await listed(api)).toHaveLength(2);
    const first = await follow(api, 'start', { limit: 1 });
    expect(first.place.hasMore).toBe(true);
    const second = await follow(api, first.place.nextCursor, { limit: 1 });
    expect(second.ids).toHaveLength(1);
  });

  it('events that expire while a client follows them end no stream silently: resuming before them is refused', async () => {
    const { api, accountId, key } = await app.account();
    for (let n = 0; n < 3; n += 1) await create(api);
    const { place } = await follow(api, 'start', { limit: 1 });
    await expire(accountId, 2);
    const refused = await StreamClient.open(app.origin, key, { lastEventId: place.nextCursor });
    expect(refused.response.statusCode).toBe(400);
    refused.leave();
  });

  it('events that expire while a client follows them end a stream that is behind, which never continues across the gap', async () => {
    const { api, accountId, key } = await app.account();
    const behind = await StreamClient.open(app.origin, key);
    // More than the kernel's buffers can hold while the client reads nothing.
    const content = 'x'.repeat(250_000);
    for (let n = 0; n < 40; n += 1) await api.createDocument({ title: 'L', content });
    const all = await listed(api);
    await expire(accountId, 39);
    behind.listen();
    await expect(behind.nextOnes(40)).rejects.toThrow('The stream has ended.');
    const refused = await StreamClient.open(app.origin, key, { lastEventId: behind.lastEventId });
    expect(refused.response.statusCode).toBe(400);
    refused.leave();
    expect((await follow(api, 'start')).ids).toEqual(all.slice(39));
  }, 60_000);

  it('events that expire while a client follows them are read or reported, never skipped, when the purge races with a poller', async () => {
    const { api, accountId } = await app.account();
    for (let n = 0; n < 60; n += 1) await create(api);
    const all = await listed(api);
    let isPurging = true as boolean;
    const purging = (async () => {
      for (let n = 0; n < 12; n += 1) await expire(accountId, 4);
    })().finally(() => {
      isPurging = false;
    });
    let runs = 0;
    while (isPurging) {
      runs += 1;
      // From the oldest event to the newest, unless a purge overtakes the reader, which the response then says.
      let [after, last] = ['start', -1];
      while (last !== all.length - 1) {
        const reply = await api.listEvents({ after, limit: 2 });
        if (reply.status === 400) {
          [after, last] = [expiredIn(reply).oldestCursor, -1];
          continue;
        }
        const { ids, place } = pageOf(reply);
        const first = all.indexOf(ids[0] ?? '');
        if (last !== -1) expect(first).toBe(last + 1);
        last = first + ids.length - 1;
        after = place.nextCursor;
      }
    }
    await purging;
    expect(runs).toBeGreaterThan(0);
    expect((await follow(api, 'start')).ids).toEqual(all.slice(48));
  }, 60_000);
});

it('a position that a restored backup lacks is refused even when new events have taken its position', async () => {
  const { api, accountId } = await app.account();
  for (let n = 0; n < 3; n += 1) await create(api);
  const kept = await follow(api, 'start', { limit: 2 });
  const lost = await follow(api, kept.place.nextCursor);
  // As after restoring a backup from before the last event: other events follow at the same positions.
  await app.dataSource.query(
    `DELETE FROM events WHERE account_id = $1 AND id = (SELECT id FROM events WHERE account_id = $1 ORDER BY position DESC LIMIT 1)`,
    [accountId],
  );
  await create(api);
  const { oldestCursor } = expiredIn(await api.listEvents({ after: lost.place.nextCursor }));
  const stored = await listed(api);
  expect((await follow(api, oldestCursor)).ids).toEqual(stored);
  expect((await follow(api, kept.place.nextCursor)).ids).toEqual(stored.slice(2));
});
