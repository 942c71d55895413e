import { StreamTimes } from '../../src/features/events/stream/event-streams.js';
import { PresenceTimes } from '../../src/features/documents/presence/presence-feed.js';
import { StreamClient } from '../events/stream-client.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { decodeId, encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { newCollection, newMember, setAccess } from './collections-api.js';
import { expectSameRefusal, newDocument, pageOf, restrictedFolders } from './restricted-folder.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const databaseUrl = (app.dataSource.options as { url: string }).url;
  replica = await startTestApp({ databaseUrl });
  for (const one of [app, replica]) {
    one.app.get(StreamTimes, { strict: false }).pollMs = 20;
    one.app.get(PresenceTimes, { strict: false }).readMs = 20;
  }
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

interface Event {
  id: string;
  type: string;
  data: { document?: { id: string }; collection?: { id: string; parentId: string | null } };
}

const subjectsIn = (response: ApiResponse) =>
  (expectSuccess(response) as Event[]).map(
    ({ type, data }) => `${type} ${String((data.document ?? data.collection)?.id)}`,
  );

/** Reads all events from the start, page by page, and checks that each page counts what it has. */
async function followed(api: ApiClient): Promise<string[]> {
  const found: string[] = [];
  for (let after = 'start'; ;) {
    const page = await api.listEvents({ after, limit: 2, type: 'document.*' });
    found.push(...subjectsIn(page));
    const { hasMore, nextCursor } = page.body.meta.pagination;
    if (!hasMore) return found;
    after = nextCursor;
  }
}

/** Emits `webhook.test`, an event about the account. */
async function testWebhook(owner: ApiClient): Promise<void> {
  const body = { url: 'https://receiver.example/secret-path', events: ['document.*'] };
  const made = await owner.send('POST', '/v1/webhooks', { body });
  const { id } = expectSuccess(made, 201) as { id: string };
  expectSuccess(await owner.send('POST', `/v1/webhooks/${id}/test`), 202);
}

describe('events of documents in collections', () => {
  it('events of documents that a member cannot see are in no list, no total, no poll and no filter', async () => {
    const { owner, member, shared, secret } = await restrictedFolders(app);
    const [seen, open, hidden] = [
      await newDocument(owner, shared.id),
      await newDocument(owner, null),
      await newDocument(owner, secret.id, { title: 'Takeover' }),
    ];
    await owner.patchDocument(hidden, { title: 'Takeover of Acme' });
    const mine = ['document.created ' + open, 'document.created ' + seen];
    const list = await member.api.listEvents({ type: 'document.*' });
    expect(subjectsIn(list)).toEqual(mine);
    expect(pageOf(list).total).toBe(2);
    expect(await followed(member.api)).toEqual(mine.toReversed());
    expect(pageOf(await owner.listEvents({ type: 'document.*' })).total).toBe(4);
    expect(await followed(owner)).toHaveLength(4);
    const ofHidden = pageOf(await member.api.listEvents({ documentId: hidden }));
    expect(ofHidden).toEqual({ total: 0, ids: [] });
    const all = await member.api.listEvents({ limit: 100 });
    for (const word of [hidden, secret.id, 'Takeover', 'Secret'])
      expect(all.text).not.toContain(word);
  });

  it('an event that a member cannot read responds like an unknown one', async () => {
    const { owner, member, shared, secret } = await restrictedFolders(app);
    await newDocument(owner, shared.id);
    await newDocument(owner, secret.id);
    const [ofHidden = '', ofSeen = ''] = pageOf(await owner.listEvents({ type: 'document.*' })).ids;
    expectSuccess(await member.api.readEvent(ofSeen));
    expectSuccess(await owner.readEvent(ofHidden));
    const unknown = await member.api.readEvent(encodeId('event', newUuid()));
    expectFailure(unknown, 404, 'NOT_FOUND');
    expectSameRefusal(await member.api.readEvent(ofHidden), unknown);
  });

  it('the present place of a document decides about all of its events, and IDs of hidden collections are null', async () => {
    const { owner, member, shared, secret } = await restrictedFolders(app);
    const document = await newDocument(owner, secret.id, {
      metadata: { collectionId: 'col_of_the_author' },
    });
    const events = () => member.api.listEvents({ documentId: document });
    expect(pageOf(await events()).total).toBe(0);
    await owner.patchDocument(document, { collectionId: shared.id });
    const { ids, total } = pageOf(await events());
    expect(total).toBe(2);
    const [moved, created] = await Promise.all(ids.map((id) => member.api.readEvent(id)));
    const placeIn = (response?: ApiResponse) =>
      response?.body.data.data.document.collectionId as unknown;
    expect([placeIn(moved), placeIn(created)]).toEqual([shared.id, null]);
    expect(created?.body.data.data.document.metadata.collectionId).toBe('col_of_the_author');
    expect(placeIn(await owner.readEvent(ids[1] ?? ''))).toBe(secret.id);
    await owner.patchDocument(document, { collectionId: secret.id });
    expect(pageOf(await events()).total).toBe(0);
  });

  it('events of collections are those of visible ones, without the IDs of hidden parents', async () => {
    const { owner, member, shared, secret } = await restrictedFolders(app);
    const below = await newCollection(owner, 'Below', secret.id);
    const inside = await newCollection(owner, 'Inside', secret.id);
    await setAccess(owner, below, { everyone: 'viewer', people: [] });
    const list = await member.api.listEvents({ type: 'collection.created' });
    expect(subjectsIn(list)).toEqual([
      `collection.created ${below.id}`,
      `collection.created ${shared.id}`,
    ]);
    const [first] = expectSuccess(list) as Event[];
    expect(first?.data.collection?.parentId).toBeNull();
    for (const id of [secret.id, inside.id]) expect(list.text).not.toContain(id);
  });

  it('events of permanently deleted documents are for those who see everything', async () => {
    const { owner, member, shared } = await restrictedFolders(app);
    const document = await newDocument(owner, shared.id);
    await owner.deleteDocument(document);
    expect(pageOf(await member.api.listEvents({ documentId: document })).total).toBe(2);
    expectSuccess(await owner.deleteDocument(document, { permanent: true }));
    expect(pageOf(await member.api.listEvents({ documentId: document })).total).toBe(0);
    expect(pageOf(await owner.listEvents({ documentId: document })).total).toBe(2);
  });

  it('events about the account do not exist for a key that is limited to collections, and all others read them', async () => {
    const { account, owner, member, shared } = await restrictedFolders(app);
    await testWebhook(owner);
    const [test = ''] = pageOf(await owner.listEvents({ type: 'webhook.test' })).ids;
    expectSuccess(await member.api.readEvent(test));
    expect(pageOf(await member.api.listEvents({ type: 'webhook.test' })).total).toBe(1);
    const { key, keyId } = await app.anotherKey(account);
    await app.dataSource.query('UPDATE api_keys SET collections = $2 WHERE id = $1', [
      keyId,
      [decodeId('collection', shared.id)],
    ]);
    const limited = app.api(key);
    const seen = await limited.listEvents({ limit: 100 });
    expect(subjectsIn(seen)).toContain(`collection.created ${shared.id}`);
    for (const list of [seen, await limited.listEvents({ after: 'start', limit: 100 })])
      expect(list.text).not.toMatch(/webhook\.test|receiver\.example/);
    const unknown = await limited.readEvent(encodeId('event', newUuid()));
    expectSameRefusal(await limited.readEvent(test), unknown);
  });

  it('a cursor stays valid when the tree and the rights change', async () => {
    const { owner, member, shared, secret } = await restrictedFolders(app);
    for (let n = 0; n < 3; n += 1) await newDocument(owner, shared.id);
    const first = await member.api.listEvents({ type: 'document.*', limit: 2 });
    await newCollection(owner, 'Another');
    await setAccess(owner, secret, { everyone: 'viewer', people: [] });
    const { nextCursor } = first.body.meta.pagination;
    const rest = await member.api.listEvents({ type: 'document.*', limit: 2, cursor: nextCursor });
    expect(subjectsIn(rest)).toHaveLength(1);
  });

  it('a total of more than 10,000 events is a lower bound for a member', async () => {
    const { account, owner, member, shared } = await restrictedFolders(app);
    const document = await newDocument(owner, shared.id);
    await app.dataSource.query(
      `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
       SELECT (substr(smallest_id(now())::text, 1, 19) || substr(gen_random_uuid()::text, 20))::uuid, $1,
              'document.updated', $2, '{}', '{}', now() FROM generate_series(1, 10001)`,
      [account.accountId, decodeId('document', document)],
    );
    const { pagination } = (await member.api.listEvents({ documentId: document })).body.meta;
    expect(pagination).toMatchObject({ total: 10_000, totalIsLowerBound: true, hasMore: true });
  });
});

describe('an event stream of a member', () => {
  const open = async (key: string, query = '', origin = app.origin) =>
    (await StreamClient.open(origin, key, { query })).listen();

  it('an event stream sends nothing that was written after a right was removed, on any replica', async () => {
    const { owner, member, shared, secret, grant } = await restrictedFolders(app);
    const streams = [await open(member.key), await open(member.key, '', replica.origin)];
    const first = await newDocument(owner, shared.id);
    await newDocument(owner, secret.id);
    const second = await newDocument(owner, null);
    for (const stream of streams) {
      const events = (await stream.nextOnes(2)).map(({ data }) => data);
      expect(events[0]).toContain(first);
      expect(events[1]).toContain(second);
    }
    await grant(null);
    const hidden = await newDocument(owner, shared.id);
    await owner.patchDocument(first, { title: 'Changed after the right was removed' });
    const third = await newDocument(owner, null);
    for (const stream of streams) {
      const { data } = await stream.next();
      expect(data).toContain(third);
      expect(data).not.toContain(hidden);
    }
    await grant('viewer');
    await owner.patchDocument(first, { title: 'Changed after it was given again' });
    for (const stream of streams) {
      const blocks = [await stream.next()];
      while (!blocks.at(-1)?.data.includes('given again')) blocks.push(await stream.next());
      expect(blocks.map(({ data }) => data).join()).not.toContain('was removed');
      stream.leave();
    }
  });

  it('an event stream follows the role of the person and the collections of the key', async () => {
    const { account, owner, shared, secret } = await restrictedFolders(app);
    const { key, keyId } = await app.anotherKey(account);
    const limitTo = (ids: string[]) =>
      app.dataSource.query('UPDATE api_keys SET collections = $2 WHERE id = $1', [
        keyId,
        ids.map((id) => decodeId('collection', id)),
      ]);
    await limitTo([shared.id, secret.id]);
    const stream = await open(key);
    const first = await newDocument(owner, secret.id);
    expect((await stream.next()).data).toContain(first);
    await limitTo([shared.id]);
    await newDocument(owner, secret.id);
    await newDocument(owner, null);
    await testWebhook(owner);
    const second = await newDocument(owner, shared.id);
    expect((await stream.next()).data).toContain(second);
    stream.leave();
  });

  it('an event stream sends an admin everything until the role becomes member', async () => {
    const { account, owner, secret } = await restrictedFolders(app);
    const admin = await newMember(app, account, 'admin');
    const stream = await open(admin.key);
    const first = await newDocument(owner, secret.id);
    expect((await stream.next()).data).toContain(first);
    await app.dataSource.query(`UPDATE members SET role = 'member' WHERE user_id = $1`, [
      admin.uuid,
    ]);
    await newDocument(owner, secret.id);
    const second = await newDocument(owner, null);
    expect((await stream.next()).data).toContain(second);
    stream.leave();
  });

  it('an event stream of documents with presence empties the list of a document that is not visible any more', async () => {
    const { owner, member, shared, grant } = await restrictedFolders(app);
    const document = await newDocument(owner, shared.id);
    const watcher = await open(member.key, `?types=document.deleted&presenceOf=${document}`);
    const lists = async (isWanted: (list: { total: number }) => boolean) => {
      for (;;) {
        const { event, data } = await watcher.next();
        const list = JSON.parse(data) as { total: number };
        if (event === 'presence' && isWanted(list)) return data;
      }
    };
    await lists(({ total }) => total === 1);
    await owner.holdPresence(document, 'editing');
    await lists(({ total }) => total === 2);
    await grant(null);
    const last = await lists(({ total }) => total === 0);
    expect(JSON.parse(last)).toEqual({ documentId: document, total: 0, entries: [] });
    const left = expectSuccess(await owner.readPresence(document)) as { entries: object[] };
    expect(left.entries).toMatchObject([{ state: 'editing' }]);
    watcher.leave();
  });
});
