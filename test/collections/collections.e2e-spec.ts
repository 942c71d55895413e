import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { whileBusy } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import {
  listed,
  move,
  newChain,
  newCollection,
  pathOf,
  UNKNOWN,
  type Collection,
} from './collections-api.js';
import { newDocument, pageOf, restrictedFolders } from './restricted-folder.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

async function accountWith(name = 'Reports') {
  const account = await app.account();
  return { ...account, collection: await newCollection(account.api, name) };
}

/** Returns how far each collection is from the root. Throws for a cycle. */
function depthsOf(tree: readonly Collection[]): number[] {
  const parents = new Map(tree.map(({ id, parentId }) => [id, parentId]));
  return tree.map(({ id }) => {
    let depth = 0;
    for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) {
      depth += 1;
      if (depth > tree.length) throw new Error(`${id} is below itself.`);
    }
    return depth;
  });
}

describe('a collection', () => {
  it('a new collection can be read at its location with an ETag, and is in the list', async () => {
    const { api } = await app.account();
    const body = { name: 'Reports' };
    const response = await api.send('POST', '/v1/collections', { body });
    const collection = expectSuccess(response, 201) as Collection;
    expect(collection).toMatchObject({ name: 'Reports', parentId: null, version: 1 });
    expect(response.headers).toMatchObject({
      location: pathOf(collection),
      etag: expect.stringMatching(/^"1;/) as string,
    });
    const read = await api.send('GET', pathOf(collection));
    expect(expectSuccess(read)).toEqual(collection);
    expect(read.headers['etag']).toMatch(/^"1;/);
    expect(await listed(api)).toEqual([collection]);
  });

  it.each([
    [{}, 'name', 'required field missing'],
    [{ name: ' ' }, 'name', 'must not be blank'],
    [{ name: 'a\nb' }, 'name', 'must be one line, without control characters'],
    [{ name: 'x'.repeat(201) }, 'name', 'must not be longer than 200 characters'],
    [{ name: 'A', parentId: 7 }, 'parentId', 'must be a string or null'],
    [{ name: 'A', parentId: 'root' }, 'parentId', 'is not a collection of this account'],
    [{ name: 'A', parentId: UNKNOWN }, 'parentId', 'is not a collection of this account'],
  ])('a new collection with %j is refused', async (body, field, issue) => {
    const { api } = await app.account();
    const refused = await api.send('POST', '/v1/collections', { body });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({ field, issue });
    expect(await listed(api)).toEqual([]);
  });

  it('a rename and a move each make a version, and a patch that changes nothing makes none', async () => {
    const { api, collection } = await accountWith();
    const parent = await newCollection(api, 'Archive');
    app.clock.advance(1000);
    const same = await api.send('PATCH', pathOf(collection), { body: collection });
    expect(expectSuccess(same)).toEqual(collection);
    const renamed = await api.send('PATCH', pathOf(collection), { body: { name: 'Old reports' } });
    expect(expectSuccess(renamed)).toMatchObject({ name: 'Old reports', version: 2 });
    const moved = await move(api, collection, parent.id);
    expect(moved.headers['etag']).toMatch(/^"3;/);
    const after = expectSuccess(moved) as Collection;
    expect(after).toMatchObject({ parentId: parent.id, version: 3 });
    expect(after.updatedAt > collection.updatedAt).toBe(true);
    expect(expectSuccess(await move(api, collection, null))).toMatchObject({ parentId: null });
  });

  it('a change or deletion with the ETag of an older version is refused', async () => {
    const { api, collection } = await accountWith();
    const headers = { 'if-match': '"1"' };
    const body = { name: 'Second' };
    expectSuccess(await api.send('PATCH', pathOf(collection), { body, headers }));
    for (const method of ['PATCH', 'DELETE']) {
      const options = { headers, ...(method === 'PATCH' && { body: { name: 'Third' } }) };
      const refused = await api.send(method, pathOf(collection), options);
      expectFailure(refused, 412, 'INVALID_REQUEST');
      expect(refused.body.error.details).toMatchObject({ currentVersion: 2, currentETag: '"2"' });
    }
    const last = await api.send('DELETE', pathOf(collection), { headers: { 'if-match': '"2"' } });
    expect(expectSuccess(last)).toEqual({ id: collection.id, deleted: true });
  });

  it('a deleted collection is not found and not listed, and cannot be a parent', async () => {
    const { api, collection } = await accountWith();
    expectSuccess(await api.send('DELETE', pathOf(collection)));
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const again = await api.send(
        method,
        pathOf(collection),
        method === 'PATCH' ? { body: {} } : {},
      );
      expectFailure(again, 404, 'NOT_FOUND');
    }
    expect(await listed(api)).toEqual([]);
    const child = { name: 'A', parentId: collection.id };
    expectFailure(
      await api.send('POST', '/v1/collections', { body: child }),
      400,
      'INVALID_REQUEST',
    );
  });

  it('a collection that contains a collection or a document cannot be deleted', async () => {
    const { api, collection } = await accountWith();
    const child = await newCollection(api, 'Child', collection.id);
    const { id } = expectSuccess(
      await api.createDocument({ title: 'A', collectionId: child.id }),
      201,
    ) as { id: string };
    for (const full of [collection, child]) {
      const refused = await api.send('DELETE', pathOf(full));
      expectFailure(refused, 409, 'INVALID_REQUEST');
      expect(refused.body.error.details).toBeUndefined();
    }
    expectSuccess(await api.deleteDocument(id));
    expectSuccess(await api.send('DELETE', pathOf(child)));
    expectSuccess(await api.send('DELETE', pathOf(collection)));
  });

  it('a collection of another account cannot be a parent', async () => {
    const { collection } = await accountWith();
    const { api: stranger } = await app.account();
    const body = { name: 'A', parentId: collection.id };
    expectFailure(await stranger.send('POST', '/v1/collections', { body }), 400, 'INVALID_REQUEST');
    const own = await newCollection(stranger);
    expectFailure(await move(stranger, own, collection.id), 400, 'INVALID_REQUEST');
  });

  it('members and admins may change collections, and viewers may only read them', async () => {
    const account = await accountWith();
    const { key } = await app.anotherKey(account, { scopes: ['documents:read'] });
    const reader = app.api(key);
    expect(await listed(reader)).toEqual([account.collection]);
    expectFailure(await reader.send('DELETE', pathOf(account.collection)), 403, 'FORBIDDEN');
  });

  it('each change leaves an audit entry and emits one event, and a refused one neither', async () => {
    const { api, collection } = await accountWith();
    const parent = await newCollection(api, 'Archive');
    await api.send('PATCH', pathOf(collection), { body: { name: 'Old', parentId: parent.id } });
    await api.send('PATCH', pathOf(collection), { body: { parentId: UNKNOWN } });
    await api.send('DELETE', pathOf(parent));
    await api.send('DELETE', pathOf(collection));
    const entries = expectSuccess(await api.send('GET', `/v1/audit?resourceId=${collection.id}`));
    expect(entries).toMatchObject([
      { action: 'collection.delete' },
      { action: 'collection.update', details: { version: 2, changes: ['name', 'parentId'] } },
      { action: 'collection.create' },
    ]);
    const events = expectSuccess(await api.send('GET', '/v1/events?type=collection.*')) as {
      type: string;
      data: { collection: Collection; changes?: string[] };
    }[];
    const own = events.filter(({ data }) => data.collection.id === collection.id);
    expect(own.map(({ type }) => type)).toEqual([
      'collection.deleted',
      'collection.updated',
      'collection.created',
    ]);
    expect(own[1]?.data).toMatchObject({
      collection: { name: 'Old', parentId: parent.id, version: 2 },
      changes: ['name', 'parentId'],
    });
  });
});

describe('the list of collections', () => {
  it('the list is by name, and can be sorted and paged; a page can hold the whole tree', async () => {
    const { api } = await app.account();
    for (const name of ['b', 'a', 'c']) {
      await newCollection(api, name);
      app.clock.advance(1000);
    }
    const names = async (query = '') => (await listed(api, query)).map(({ name }) => name);
    expect(await names()).toEqual(['a', 'b', 'c']);
    expect(await names('?order=desc')).toEqual(['c', 'b', 'a']);
    expect(await names('?sort=createdAt')).toEqual(['b', 'a', 'c']);
    const first = await api.send('GET', '/v1/collections?limit=2');
    expect(first.body.meta.pagination).toMatchObject({ total: 3, limit: 2, hasMore: true });
    const { nextCursor } = first.body.meta.pagination as { nextCursor: string };
    expect(await names(`?limit=2&cursor=${nextCursor}`)).toEqual(['c']);
  });

  it('counts say how many documents are in each collection, without the trash and those below', async () => {
    const { api, collection } = await accountWith();
    const child = await newCollection(api, 'Child', collection.id);
    const ids: string[] = [];
    for (const collectionId of [collection.id, collection.id, child.id, null]) {
      const made = await api.createDocument({ title: 'A', collectionId });
      ids.push((expectSuccess(made, 201) as { id: string }).id);
    }
    await api.deleteDocument(ids[0] ?? '');
    const counts = (await listed(api, '?include=counts')).map(({ id, documentCount }) => [
      id,
      documentCount,
    ]);
    expect(counts).toEqual([
      [child.id, 1],
      [collection.id, 1],
    ]);
  });
});

describe('the tree', () => {
  it('a tree has at most 8 levels, and a refused move changes nothing', async () => {
    const { api } = await app.account();
    const chain = await newChain(api, 8);
    const [top, last] = [chain[0] as Collection, chain[7] as Collection];
    const ninth = await api.send('POST', '/v1/collections', {
      body: { name: 'Level 9', parentId: last.id },
    });
    expectFailure(ninth, 409, 'INVALID_REQUEST');
    expect(ninth.body.error.details).toMatchObject({ field: 'parentId', limit: 8 });
    const other = await newCollection(api, 'Other');
    expectFailure(await move(api, top, other.id), 409, 'INVALID_REQUEST');
    expectFailure(await move(api, other, last.id), 409, 'INVALID_REQUEST');
    expectSuccess(await move(api, chain[1] as Collection, other.id));
    expect(Math.max(...depthsOf(await listed(api)))).toBe(8);
  });

  it('a collection cannot be moved into itself or below itself', async () => {
    const { api } = await app.account();
    const [top, middle, bottom] = (await newChain(api, 3)) as [Collection, Collection, Collection];
    for (const parent of [top, middle, bottom]) {
      const refused = await move(api, top, parent.id);
      expectFailure(refused, 409, 'INVALID_REQUEST');
      expect(refused.body.error.details).toMatchObject({ field: 'parentId' });
    }
  });

  it('50 moves at once leave no cycle and no more than 8 levels', async () => {
    const { api } = await app.account({ plan: 'enterprise' });
    const chains = [await newChain(api, 4), await newChain(api, 4), await newChain(api, 4)];
    const all = chains.flat();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const one = all[(index * 7) % all.length] as Collection;
        const parent = all[(index * 5 + 3) % all.length] as Collection;
        return (await whileBusy(() => move(api, one, parent.id))).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect(Math.max(...depthsOf(await listed(api)))).toBeLessThanOrEqual(8);
  });

  it('an account has at most 1,000 collections, also if several are created at once', async () => {
    const { api, accountId } = await app.account({ plan: 'enterprise' });
    await fillTree(accountId, 996);
    const create = () =>
      whileBusy(() => api.send('POST', '/v1/collections', { body: { name: 'New' } }));
    const statuses = await Promise.all(Array.from({ length: 8 }, create));
    expect(statuses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(4).fill(201),
      ...Array<number>(4).fill(409),
    ]);
    expect(await listed(api, '?limit=1000')).toHaveLength(1_000);
    const [some] = await listed(api, '?limit=1');
    expectSuccess(await api.send('DELETE', pathOf(some as Collection)));
    expectSuccess(await create(), 201);
  });
});

/** Inserts collections at the root. */
async function fillTree(accountId: string, count: number): Promise<void> {
  await app.dataSource.query(
    `INSERT INTO collections (id, account_id, name, version, created_at, updated_at)
     SELECT uuid_v7(), $1, 'Filler', 1, now(), now() FROM generate_series(1, $2)`,
    [accountId, count],
  );
}

describe('a deleted collection', () => {
  it('a deleted collection is removed once its documents have left the trash', async () => {
    const { api, collection, accountId } = await accountWith();
    const made = await api.createDocument({ title: 'A', collectionId: collection.id });
    const { id } = expectSuccess(made, 201) as { id: string };
    await api.deleteDocument(id);
    expectSuccess(await api.send('DELETE', pathOf(collection)));
    const stored = async () =>
      (
        await app.dataSource.query<unknown[]>('SELECT id FROM collections WHERE account_id = $1', [
          accountId,
        ])
      ).length;
    const runTasks = () => app.app.get(BackgroundTasks).runAll();
    app.clock.advance(29 * DAY_MS);
    await runTasks();
    expect(await stored()).toBe(1);
    app.clock.advance(2 * DAY_MS);
    // The first run removes the document, a later one the collection.
    await runTasks();
    await runTasks();
    expect(await stored()).toBe(0);
  });
});

describe('a deleted collection that was hidden', () => {
  let lasting: TestApp;
  beforeAll(async () => {
    const environment = { EVENT_RETENTION_DAYS: '365' };
    lasting = await startTestApp({ modules: [BackgroundTasksModule], environment });
  });
  afterAll(() => lasting.close());

  it('a deleted collection hides its events, and those of its documents, for as long as they are stored', async () => {
    const { owner, member, secret } = await restrictedFolders(lasting, 'editor');
    const id = await newDocument(owner, secret.id);
    expectSuccess(await owner.deleteDocument(id, { permanent: true }));
    expectSuccess(await owner.send('DELETE', pathOf(secret)));
    lasting.clock.advance(31 * DAY_MS);
    for (let run = 1; run <= 2; run += 1) await lasting.app.get(BackgroundTasks).runAll();
    const list = await member.api.listEvents({ limit: 100 });
    expect(pageOf(list).total).toBe(2);
    for (const hidden of [secret.id, id]) expect(list.text).not.toContain(hidden);
    expect(pageOf(await owner.listEvents({ limit: 100 })).total).toBeGreaterThan(4);
  });
});

describe('a member who leaves', () => {
  it('a former member has no entry in the access of collections, and others keep theirs', async () => {
    const { api, accountId, userId } = await app.account();
    const collection = await newCollection(api);
    const other = '01890a5d-ac96-774b-bcce-b302099a8057';
    const access = (people: string[]) =>
      JSON.stringify({
        everyone: null,
        people: people.map((one) => ({ userId: one, right: 'editor' })),
      });
    await app.dataSource.query('UPDATE collections SET access = $2::jsonb WHERE account_id = $1', [
      accountId,
      access([userId, other]),
    ]);
    const epoch = async () =>
      (await app.dataSource.query('SELECT access_epoch FROM accounts WHERE id = $1', [
        accountId,
      ])) as unknown;
    const before = await epoch();
    await app.dataSource.query('DELETE FROM members WHERE account_id = $1 AND user_id = $2', [
      accountId,
      userId,
    ]);
    const [row] = await app.dataSource.query(
      'SELECT access, created_by, version FROM collections WHERE account_id = $1',
      [accountId],
    );
    expect(row).toEqual({
      access: JSON.parse(access([other])) as object,
      created_by: null,
      version: collection.version + 1,
    });
    expect(await epoch()).not.toEqual(before);
  });

  it('an account that never had a collection keeps the epoch 0 when a member leaves', async () => {
    const { accountId, userId } = await app.account();
    await app.dataSource.query('DELETE FROM members WHERE account_id = $1 AND user_id = $2', [
      accountId,
      userId,
    ]);
    const rows = await app.dataSource.query('SELECT access_epoch FROM accounts WHERE id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([{ access_epoch: '0' }]);
  });
});
