import { PresenceRetention } from '../../src/features/documents/presence/presence-retention.js';
import { PresenceTimes } from '../../src/features/documents/presence/presence-feed.js';
import { encodeId, uuidOf } from '../../src/platform/basics/identifiers/identifiers.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { FROM_EVERYWHERE, join, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import { StreamClient, type Block } from '../events/stream-client.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';

interface Shown {
  documentId: string;
  total: number;
  entries: {
    userId: string;
    keyId: string | null;
    name: string;
    state: string;
    since: string;
  }[];
}

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: FROM_EVERYWHERE });
  const databaseUrl = (app.dataSource.options as { url: string }).url;
  replica = await startTestApp({ databaseUrl, environment: FROM_EVERYWHERE });
  for (const one of [app, replica]) one.app.get(PresenceTimes, { strict: false }).readMs = 20;
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

const shown = (reply: ApiResponse) => expectSuccess(reply) as Shown;
const statesOf = ({ entries }: Shown) => entries.map(({ name, state }) => `${name} ${state}`);

async function newDocument(api: ApiClient, title = 'Shared'): Promise<string> {
  return (expectSuccess(await api.createDocument({ title }), 201) as { id: string }).id;
}

/** Ends the entries that clients and processes hold now. */
async function expireAll(id: string): Promise<void> {
  await app.dataSource.query(
    "UPDATE presence SET expires_at = now() - interval '1 second' WHERE document_id = $1",
    [uuidOf('document', id)],
  );
}

const open = async (origin: string, key: string, ids: readonly string[], more = '') => {
  const query = `?${ids.map((id) => `presenceOf=${id}`).join('&')}${more}`;
  return (await StreamClient.open(origin, key, { query })).listen();
};

/** Returns the next list that matches. */
async function untilList(
  stream: StreamClient,
  matches: (list: Shown, block: Block) => boolean,
): Promise<Shown> {
  for (;;) {
    const block = await stream.next();
    if (block.event !== 'presence') continue;
    const list = JSON.parse(block.data) as Shown;
    if (matches(list, block)) return list;
  }
}

describe('Presence in a document', () => {
  it('Presence in a document shows who views and edits it, those who edit first', async () => {
    const account = await app.account();
    const { api } = account;
    const id = await newDocument(api);
    expect(shown(await api.readPresence(id))).toEqual({ documentId: id, total: 0, entries: [] });
    const held = shown(await api.holdPresence(id, 'viewing'));
    expect(held).toEqual(shown(await api.readPresence(id)));
    expect(held.entries).toEqual([
      {
        userId: expect.stringMatching(/^user_/) as string,
        keyId: expect.stringMatching(/^key_/) as string,
        name: expect.any(String) as string,
        state: 'viewing',
        since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ]);
    const other = await app.anotherKey(account);
    const both = shown(await app.api(other.key).holdPresence(id, 'editing'));
    expect(both.total).toBe(2);
    expect(both.entries.map(({ keyId, state }) => [keyId, state])).toEqual([
      [encodeId('key', other.keyId), 'editing'],
      [held.entries[0]?.keyId, 'viewing'],
    ]);
  });

  it('Presence in a document keeps the time of arrival while it is renewed, and forgets it after 60 seconds without', async () => {
    const { api } = await app.account();
    const id = await newDocument(api);
    const [first] = shown(await api.holdPresence(id, 'viewing')).entries;
    const [again] = shown(await api.holdPresence(id, 'viewing')).entries;
    expect(again).toEqual(first);
    const [row] = await app.dataSource.query<{ seconds: number }[]>(
      `SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM presence WHERE document_id = $1`,
      [uuidOf('document', id)],
    );
    expect(row?.seconds).toBeGreaterThan(30);
    expect(row?.seconds).toBeLessThanOrEqual(60);
    await expireAll(id);
    expect(shown(await api.readPresence(id)).entries).toEqual([]);
    const [back] = shown(await api.holdPresence(id, 'viewing')).entries;
    expect(Date.parse(back?.since ?? '')).toBeGreaterThan(Date.parse(first?.since ?? ''));
  });

  it('Presence in a document lists one entry in which editing wins over viewing, until it is deleted', async () => {
    const { api } = await app.account();
    const id = await newDocument(api);
    await api.holdPresence(id, 'editing');
    const { entries } = shown(await api.holdPresence(id, 'viewing'));
    expect(entries.map(({ state }) => state)).toEqual(['editing']);
    expect(expectSuccess(await api.leaveDocument(id))).toEqual({ id, deleted: true });
    expect(shown(await api.readPresence(id)).entries).toEqual([]);
    expect((await api.leaveDocument(id)).status).toBe(200);
  });

  it('Presence in a document needs documents:read, and documents:write to edit', async () => {
    const account = await app.account();
    const id = await newDocument(account.api);
    const reader = app.api((await app.anotherKey(account, { scopes: ['documents:read'] })).key);
    expect((await reader.holdPresence(id, 'viewing')).status).toBe(200);
    const refused = await reader.holdPresence(id, 'editing');
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details.requiredScopes).toEqual(['documents:write']);
    const other = app.api((await app.anotherKey(account, { scopes: ['events:read'] })).key);
    expectFailure(await other.readPresence(id), 403, 'FORBIDDEN');
  });

  it('Presence in a document refuses other states', async () => {
    const { api } = await app.account();
    const id = await newDocument(api);
    for (const state of ['away', null, undefined, 1]) {
      expectFailure(await api.holdPresence(id, state), 400, 'INVALID_REQUEST');
    }
  });

  it('Presence in a document is unknown for documents in the trash, of other accounts, and for malformed ids', async () => {
    const { api } = await app.account();
    const id = await newDocument(api);
    const { api: stranger } = await app.account();
    const responses = async (client: ApiClient, document: string) => [
      await client.readPresence(document),
      await client.holdPresence(document, 'viewing'),
      await client.leaveDocument(document),
    ];
    await api.holdPresence(id, 'viewing');
    for (const reply of await responses(stranger, id)) expectFailure(reply, 404, 'NOT_FOUND');
    for (const reply of await responses(api, 'doc_1')) expectFailure(reply, 404, 'NOT_FOUND');
    await api.deleteDocument(id);
    for (const reply of await responses(api, id)) expectFailure(reply, 404, 'NOT_FOUND');
  });

  it('Presence in a document makes no version, event or audit entry', async () => {
    const { api } = await app.account();
    const id = await newDocument(api);
    await api.holdPresence(id, 'editing');
    await api.leaveDocument(id);
    expect((await api.readDocument(id)).body.data.version).toBe(1);
    expect((await api.listEvents()).body.data).toHaveLength(1);
    expect((await api.send('GET', '/v1/audit')).body.data).toHaveLength(1);
  });

  it('Presence in a document lists at most 100, and counts all', async () => {
    const { api, accountId } = await app.account();
    const id = await newDocument(api);
    await api.holdPresence(id, 'editing');
    await app.dataSource.query(
      `INSERT INTO presence SELECT account_id, document_id, gen_random_uuid(), 'viewing', source, user_id, key_id, now(),
              now() + interval '60 seconds' FROM presence, generate_series(1, 120) WHERE account_id = $1`,
      [accountId],
    );
    const { entries, total } = shown(await api.readPresence(id));
    expect([entries.length, total, entries[0]?.state]).toEqual([100, 121, 'editing']);
  });

  it('Presence in a document is removed by workers after it has expired', async () => {
    const worker = await startTestApp({
      databaseUrl: (app.dataSource.options as { url: string }).url,
      modules: [BackgroundTasksModule],
    });
    const { api } = await app.account();
    const [id, other] = [await newDocument(api), await newDocument(api)];
    await api.holdPresence(id, 'viewing');
    await api.holdPresence(other, 'viewing');
    await expireAll(id);
    await worker.app.get(PresenceRetention, { strict: false }).runBatch();
    const rows = await app.dataSource.query<{ id: string }[]>(
      'SELECT document_id AS id FROM presence WHERE document_id = ANY ($1)',
      [[uuidOf('document', id), uuidOf('document', other)]],
    );
    expect(rows).toEqual([{ id: uuidOf('document', other) }]);
    await worker.close();
  });
});

describe('Presence on event streams', () => {
  it('Presence on event streams sends the list at the beginning and at each change, without an id', async () => {
    const account = await app.account();
    const { api, key } = account;
    const id = await newDocument(api);
    const stream = await open(app.origin, key, [id]);
    const first = await stream.next();
    expect(first).toMatchObject({ event: 'presence', id: '' });
    const { entries, documentId } = JSON.parse(first.data) as Shown;
    expect([documentId, entries.map(({ state }) => state)]).toEqual([id, ['viewing']]);
    expect(shown(await api.readPresence(id)).entries).toEqual(entries);

    const other = await app.anotherKey(account);
    await app.api(other.key).holdPresence(id, 'editing');
    const both = await untilList(stream, (list) => list.total === 2);
    expect(both.entries[0]).toMatchObject({
      keyId: encodeId('key', other.keyId),
      state: 'editing',
    });
    await app.api(other.key).leaveDocument(id);
    expect((await untilList(stream, (list) => list.total === 1)).entries).toEqual(entries);
    await api.holdPresence(id, 'editing');
    await untilList(stream, (list) => list.entries[0]?.state === 'editing');
    stream.leave();
  });

  it('Presence on event streams keeps the last event id, so a resumed stream has no gap', async () => {
    const { api, key } = await app.account();
    const id = await newDocument(api);
    const stream = await open(app.origin, key, [id]);
    await stream.next();
    await api.patchDocument(id, { title: 'One' });
    const changed = await stream.next();
    expect(changed.event).toBe('document.updated');
    await api.holdPresence(id, 'editing');
    const list = await stream.next();
    expect(list).toMatchObject({ event: 'presence', id: changed.id });
    stream.leave();
    await api.patchDocument(id, { title: 'Two' });
    const query = `?presenceOf=${id}&types=document.updated&lastEventId=${changed.id}`;
    const resumed = (await StreamClient.open(app.origin, key, { query })).listen();
    for (;;) {
      const { event, data } = await resumed.next();
      if (event === 'presence') continue;
      expect(JSON.parse(data)).toMatchObject({ data: { document: { title: 'Two' } } });
      break;
    }
    resumed.leave();
  });

  it('Presence on event streams counts as viewing while a stream is open, on any replica', async () => {
    const account = await app.account();
    const { api, key } = account;
    const [one, two] = [await newDocument(api, 'One'), await newDocument(api, 'Two')];
    const other = await app.anotherKey(account);
    const mine = await open(app.origin, key, [one]);
    await untilList(mine, (list) => list.total === 1);
    const theirs = await open(replica.origin, other.key, [one, two]);
    await untilList(mine, (list) => list.total === 2);
    await untilList(theirs, (list) => list.documentId === one && list.total === 2);
    expect(shown(await api.readPresence(two)).entries).toMatchObject([
      { keyId: encodeId('key', other.keyId) },
    ]);
    theirs.leave();
    await untilList(mine, (list) => list.total === 1);
    await eventually(
      () => api.readPresence(two),
      (reply) => shown(reply).total === 0,
    );
    mine.leave();
  });

  it('Presence on event streams remains while another stream of the same key is open', async () => {
    const { api, key } = await app.account();
    const id = await newDocument(api);
    const [one, two] = [await open(app.origin, key, [id]), await open(app.origin, key, [id])];
    await untilList(one, (list) => list.total === 1);
    await untilList(two, (list) => list.total === 1);
    one.leave();
    const { key: watcher } = await app.account();
    // Another stream is served after the first one has left.
    const later = await open(app.origin, watcher, [id]);
    await later.next();
    expect(shown(await api.readPresence(id)).total).toBe(1);
    for (const stream of [two, later]) stream.leave();
  });

  it('Presence on event streams ends with a process that is killed: its entries expire if nobody renews them', async () => {
    const account = await app.account();
    const { api, key } = account;
    const id = await newDocument(api);
    const other = await app.anotherKey(account);
    const dying = await startTestApp({
      databaseUrl: (app.dataSource.options as { url: string }).url,
    });
    const theirs = await open(dying.origin, other.key, [id]);
    await theirs.next();
    const mine = await open(app.origin, key, [id]);
    await untilList(mine, (list) => list.total === 2);
    const [row] = await app.dataSource.query<{ seconds: number }[]>(
      `SELECT max(extract(epoch FROM expires_at - now()))::float8 AS seconds FROM presence WHERE document_id = $1`,
      [uuidOf('document', id)],
    );
    // The rest of the minute is for those who read.
    expect(row?.seconds).toBeLessThanOrEqual(50);
    // The clients of a killed process have no entry that it would renew.
    await app.dataSource.query(
      'UPDATE presence SET expires_at = now() WHERE document_id = $1 AND key_id = $2',
      [uuidOf('document', id), other.keyId],
    );
    await untilList(mine, (list) => list.total === 1);
    for (const stream of [mine, theirs]) stream.leave();
    await dying.close();
  });

  it('Presence on event streams is renewed while the stream is open', async () => {
    const times = app.app.get(PresenceTimes, { strict: false });
    const { api, key } = await app.account();
    const id = await newDocument(api);
    const stream = await open(app.origin, key, [id]);
    await untilList(stream, (list) => list.total === 1);
    const { renewMs } = times;
    times.renewMs = 0;
    await expireAll(id);
    await eventually(
      () => api.readPresence(id),
      (reply) => shown(reply).total === 1,
    );
    times.renewMs = renewMs;
    stream.leave();
  });

  it('Presence on event streams ends its stream when the key loses documents:read', async () => {
    const account = await app.account();
    const id = await newDocument(account.api);
    const { key, keyId } = await app.anotherKey(account, {
      scopes: ['events:read', 'documents:read'],
    });
    const stream = await open(app.origin, key, [id]);
    await untilList(stream, (list) => list.total === 1);
    const path = `/v1/keys/${encodeId('key', keyId)}`;
    expectSuccess(await account.api.send('PATCH', path, { body: { scopes: ['events:read'] } }));
    await stream.end();
    await eventually(
      () => account.api.readPresence(id),
      (reply) => shown(reply).total === 0,
    );
  });

  it('Presence on event streams skips unknown documents, and shows nothing of other accounts', async () => {
    const mine = await app.account();
    const id = await newDocument(mine.api);
    await mine.api.holdPresence(id, 'viewing');
    const { api, key } = await app.account();
    const known = await newDocument(api);
    const stream = await open(app.origin, key, [id, 'doc_01h455vb4pex5vsknk084sn02q', known]);
    const lists = (await stream.nextOnes(3)).map(({ data }) => JSON.parse(data) as Shown);
    expect(lists.map(({ documentId, total }) => [documentId, total])).toEqual([
      [id, 0],
      ['doc_01h455vb4pex5vsknk084sn02q', 0],
      [known, 1],
    ]);
    expect(shown(await mine.api.readPresence(id)).total).toBe(1);
    stream.leave();
  });

  it('Presence on event streams refuses more than 20 documents, malformed ids, and keys without documents:read', async () => {
    const account = await app.account();
    const path = '/v1/events/stream';
    const ids = Array.from(
      { length: 21 },
      (_, n) => `doc_01h455vb4pex5vsknk084sn0${String(n + 10)}`,
    );
    const many = `${path}?${ids.map((id) => `presenceOf=${id}`).join('&')}`;
    expectFailure(await account.api.send('GET', many), 400, 'INVALID_REQUEST');
    expectFailure(await account.api.send('GET', `${path}?presenceOf=x`), 400, 'INVALID_REQUEST');
    const { key } = await app.anotherKey(account, { scopes: ['events:read'] });
    const id = await newDocument(account.api);
    expectFailure(await app.api(key).send('GET', `${path}?presenceOf=${id}`), 403, 'FORBIDDEN');
  });
});

describe('Presence of people', () => {
  const base = ({ accountId }: SignedInPerson) => `/dashboard/api/accounts/${accountId}/v1`;
  const streamOf = async (person: SignedInPerson, accountId: string, id: string, at = app) =>
    (
      await StreamClient.open(at.origin, '', {
        base: `/dashboard/api/accounts/${accountId}/v1`,
        query: `?presenceOf=${id}&payload=thin`,
        headers: { cookie: person.browser.cookie ?? '', 'x-forwarded-for': '10.9.9.9' },
      })
    ).listen();

  it('Presence of people shows a person once in any number of tabs, with their name', async () => {
    const ada = await signUpAs(app);
    const send = (method: string, path: string, body?: unknown) =>
      ada.browser.request(method, `${base(ada)}${path}`, { body });
    const created = await send('POST', '/documents', { title: 'Mine' });
    const { id } = expectSuccess(created, 201) as { id: string };
    const one = await streamOf(ada, ada.accountId, id);
    const two = await streamOf(ada, ada.accountId, id);
    await untilList(two, (list) => list.total === 1);
    const { entries } = shown(await send('PUT', `/documents/${id}/presence`, { state: 'editing' }));
    expect(entries).toMatchObject([
      { userId: ada.user.id, keyId: null, name: 'Ada Lovelace', state: 'editing' },
    ]);
    for (const stream of [one, two]) {
      const list = await untilList(stream, ({ entries: [entry] }) => entry?.state === 'editing');
      expect(list.total).toBe(1);
      stream.leave();
    }
  });

  it('Presence of people lets viewers view but not edit', async () => {
    const ada = await signUpAs(app);
    const viewer = await join(app, ada.accountId, 'viewer');
    const created = await ada.browser.request('POST', `${base(ada)}/documents`, {
      body: { title: 'Mine' },
    });
    const { id } = expectSuccess(created, 201) as { id: string };
    const hold = (state: string) =>
      viewer.browser.request('PUT', `${base(ada)}/documents/${id}/presence`, { body: { state } });
    expect(statesOf(shown(await hold('viewing')))).toEqual(['Ada Lovelace viewing']);
    expectFailure(await hold('editing'), 403, 'FORBIDDEN');
  });

  it('Presence of people allows three streams a person, which others do not use up', async () => {
    const ada = await signUpAs(app);
    const grace = await join(app, ada.accountId, 'member');
    const created = await ada.browser.request('POST', `${base(ada)}/documents`, {
      body: { title: 'Mine' },
    });
    const { id } = expectSuccess(created, 201) as { id: string };
    const streams = [];
    for (let n = 0; n < 3; n += 1) streams.push(await streamOf(ada, ada.accountId, id));
    const refused = await ada.browser.request('GET', `${base(ada)}/events/stream`);
    expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(refused.body.error.message).toMatch(/^You have 3 open streams/);
    const other = await streamOf(grace, ada.accountId, id);
    expect(other.response.statusCode).toBe(200);
    for (const stream of [...streams, other]) stream.leave();
  });
});

describe('The thin stream', () => {
  it('The thin stream leaves the content out', async () => {
    const { api, key } = await app.account();
    const [thin, full] = await Promise.all(
      ['?payload=thin', '?payload=full'].map(async (query) =>
        (await StreamClient.open(app.origin, key, { query })).listen(),
      ),
    );
    const created = await api.createDocument({ title: 'Long', content: 'x'.repeat(200_000) });
    const { id } = expectSuccess(created, 201) as { id: string };
    const [short, long] = [await thin?.next(), await full?.next()];
    expect(short?.id).toBe(long?.id);
    expect(JSON.parse(short?.data ?? '')).toMatchObject({
      type: 'document.created',
      data: { document: { id, title: 'Long', version: 1, contentTruncated: true } },
    });
    expect(JSON.parse(short?.data ?? '').data.document).not.toHaveProperty('content');
    expect(short?.data.length).toBeLessThan(1_000);
    expect(long?.data.length).toBeGreaterThan(200_000);
    for (const stream of [thin, full]) stream?.leave();
  });

  it('The thin stream refuses other payloads', async () => {
    const { api } = await app.account();
    const reply = await api.send('GET', '/v1/events/stream?payload=small');
    expectFailure(reply, 400, 'INVALID_REQUEST');
  });
});
