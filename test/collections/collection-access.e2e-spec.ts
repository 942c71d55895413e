import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { FROM_EVERYWHERE, join, signUpAs } from '../dashboard/people.js';
import { whileBusy, type ApiClient, type ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import {
  listed,
  move,
  newCollection,
  newMember,
  pathOf,
  setAccess,
  UNKNOWN,
  type Collection,
  type CollectionAccess,
  type NewMember,
  type Right,
} from './collections-api.js';

let database: TestDatabase;
let app: TestApp;
/** A second replica. */
let other: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { environment: FROM_EVERYWHERE, databaseUrl: database.url };
  app = await startTestApp(options);
  other = await startTestApp(options);
});
afterAll(async () => {
  await other.close();
  await app.close();
  await database.drop();
});

const readAccess = (api: ApiClient, collection: Pick<Collection, 'id'>) =>
  api.send('GET', `${pathOf(collection)}/access`);
const putAccess = (
  api: ApiClient,
  collection: Pick<Collection, 'id'>,
  access: unknown,
  headers: Record<string, string> = {},
) => api.send('PUT', `${pathOf(collection)}/access`, { body: { access }, headers });
const create = (api: ApiClient, body: object) => api.send('POST', '/v1/collections', { body });
const onlyFor = (
  people: readonly [Pick<NewMember, 'userId'>, Right][],
  everyone: Right | null = null,
): CollectionAccess => ({
  everyone,
  people: people.map(([{ userId }, right]) => ({ userId, right })),
});

/** An account with a collection, a member for each right in it, and one without any. */
async function accountWithRights() {
  const owner = await app.account();
  const collection = await newCollection(owner.api, 'Plans');
  const [viewer, editor, manager, nobody] = [
    await newMember(app, owner),
    await newMember(app, owner),
    await newMember(app, owner),
    await newMember(app, owner),
  ];
  const access = onlyFor([
    [viewer, 'viewer'],
    [editor, 'editor'],
    [manager, 'manager'],
  ]);
  await setAccess(owner.api, collection, access);
  return { owner, collection, viewer, editor, manager, nobody, access };
}

/** What a client can tell two responses apart by. */
const comparable = ({ status, text, headers }: ApiResponse) => ({
  status,
  text: text.replaceAll(/(?:req|col)_\w{26}|"timestamp":"[^"]+"/g, '…'),
  headers: Object.keys(headers).sort(),
  length: headers['content-length'],
});

function expectTooLittle(response: ApiResponse, requiredRight: Right, right: Right | null): void {
  expectFailure(response, 403, 'FORBIDDEN');
  expect(response.body.error.details).toEqual({ requiredRight, right });
}

describe('the access of a collection', () => {
  it('a collection without an own access has that of the collection above, or of the root', async () => {
    const { owner, collection, viewer, editor, manager } = await accountWithRights();
    const open = await newCollection(owner.api, 'Open');
    const atRoot = { everyone: 'editor', people: [] };
    expect(expectSuccess(await readAccess(owner.api, open))).toEqual({
      access: null,
      inheritedFrom: null,
      effective: atRoot,
    });
    const child = await newCollection(editor.api, 'Child', collection.id);
    expect(child).toMatchObject({ right: 'editor', isRestricted: false });
    const read = expectSuccess(await readAccess(manager.api, child)) as {
      effective: { people: { userId: string; right: Right; name: string }[] };
    };
    expect(read).toMatchObject({
      access: null,
      inheritedFrom: { id: collection.id, name: 'Plans' },
      effective: { everyone: null },
    });
    expect(read.effective.people.map(({ userId, right }) => [userId, right])).toEqual([
      [owner.user.id, 'manager'],
      [viewer.userId, 'viewer'],
      [editor.userId, 'editor'],
      [manager.userId, 'manager'],
    ]);
    expect(read.effective.people[0]?.name).toBe(owner.user.name);
  });

  it('setting an access replaces it, with names, makes a version, an event without people and an audit entry', async () => {
    const { owner, collection, viewer } = await accountWithRights();
    const set = await putAccess(owner.api, collection, onlyFor([[viewer, 'editor']], 'viewer'));
    const expected = {
      everyone: 'viewer',
      people: [
        {
          userId: viewer.userId,
          right: 'editor',
          name: expect.stringMatching(/^Member /) as string,
        },
      ],
    };
    expect(expectSuccess(set)).toMatchObject({ access: expected, inheritedFrom: null });
    const read = await readAccess(owner.api, collection);
    expect(read.text.replace(/"meta".*/, '')).toBe(set.text.replace(/"meta".*/, ''));
    expect(read.headers['etag']).toBe(set.headers['etag']);
    const same = await putAccess(owner.api, collection, onlyFor([[viewer, 'editor']], 'viewer'));
    expect(same.headers['etag']).toBe(set.headers['etag']);
    const removed = expectSuccess(await putAccess(owner.api, collection, null));
    expect(removed).toEqual({
      access: null,
      inheritedFrom: null,
      effective: { everyone: 'editor', people: [] },
    });
    const events = await owner.api.send('GET', '/v1/events?type=collection.access_changed');
    expect(expectSuccess(events)).toMatchObject([
      { data: { collection: { id: collection.id, version: 4, isRestricted: false } } },
      { data: { collection: { id: collection.id, version: 3, isRestricted: true } } },
      { data: { collection: { id: collection.id, version: 2, isRestricted: true } } },
    ]);
    expect(events.text).not.toContain(viewer.userId);
    const audit = await owner.api.send('GET', `/v1/audit?resourceId=${collection.id}`);
    expect(expectSuccess(audit)).toMatchObject([
      { action: 'collection.access', details: { version: 4, access: null } },
      {
        action: 'collection.access',
        details: { version: 3, access: onlyFor([[viewer, 'editor']], 'viewer') },
      },
      { action: 'collection.access', details: { version: 2 } },
      { action: 'collection.create' },
    ]);
  });

  const person = { userId: 'user', right: 'viewer' };
  it.each([
    ['access', 'required field missing', {}],
    ['access', 'must be an object', { access: 'me' }],
    ['access.everyone', 'required field missing', { access: { people: [] } }],
    ['access.people', 'required field missing', { access: { everyone: null } }],
    [
      'access.everyone',
      'must be one of viewer, editor, manager',
      { access: { everyone: 'owner', people: [] } },
    ],
    [
      'access.people[0].right',
      'must be one of viewer, editor, manager',
      { access: { everyone: null, people: [{ ...person, right: 'owner' }] } },
    ],
    [
      'access.people[0].userId',
      'is not a member of this account',
      { access: { everyone: null, people: [{ ...person, userId: 7 }] } },
    ],
    [
      'access.people',
      'must have at most 100 items',
      { access: { everyone: null, people: Array(101).fill(person) } },
    ],
  ])('an access is refused because %s %s', async (field, issue, body) => {
    const { api } = await app.account();
    const collection = await newCollection(api);
    const refused = await api.send('PUT', `${pathOf(collection)}/access`, { body });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({ field, issue });
  });

  it('people who are not members, or are named twice, are refused by place', async () => {
    const { owner, collection, viewer, manager } = await accountWithRights();
    const stranger = await app.account();
    const access = onlyFor([
      [manager, 'manager'],
      [{ userId: stranger.user.id }, 'viewer'],
      [viewer, 'viewer'],
      [viewer, 'editor'],
    ]);
    for (const refused of [
      await putAccess(manager.api, collection, access),
      await create(owner.api, { name: 'New', access }),
    ]) {
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.problems).toEqual([
        { field: 'access.people[1].userId', issue: 'is not a member of this account' },
        { field: 'access.people[3].userId', issue: 'repeats access.people[2].userId' },
      ]);
    }
    expect(await listed(owner.api)).toHaveLength(1);
  });

  it('a manager must keep the right, and owners, admins and the creator keep it anyway', async () => {
    const { owner, collection, viewer, manager } = await accountWithRights();
    const admin = await newMember(app, owner, 'admin');
    for (const access of [onlyFor([[viewer, 'manager']]), onlyFor([], 'editor'), null]) {
      const refused = await putAccess(manager.api, collection, access);
      expectFailure(refused, 409, 'INVALID_REQUEST');
      expect(refused.body.error.details).toMatchObject({ field: 'access' });
    }
    await setAccess(manager.api, collection, onlyFor([[manager, 'manager']]));
    await setAccess(admin.api, collection, onlyFor([[viewer, 'viewer']]));
    await setAccess(owner.api, collection, onlyFor([]));
    expectFailure(await readAccess(manager.api, collection), 404, 'NOT_FOUND');
    const created = await create(viewer.api, { name: 'Mine', access: onlyFor([]) });
    const own = expectSuccess(created, 201) as Collection;
    expect(own).toMatchObject({ right: 'manager', isRestricted: true });
    await setAccess(viewer.api, own, onlyFor([[manager, 'viewer']]));
    expectFailure(await putAccess(viewer.api, own, null), 409, 'INVALID_REQUEST');
  });

  it('who restricts an open collection decides whether its creator manages it', async () => {
    const { owner, editor, manager, collection } = await accountWithRights();
    const folder = await newCollection(editor.api, 'Drafts', collection.id);
    await setAccess(manager.api, folder, onlyFor([[manager, 'manager']]));
    expectFailure(await readAccess(editor.api, folder), 404, 'NOT_FOUND');
    // Removing the access and setting it again does not return the right.
    await setAccess(owner.api, folder, null);
    await setAccess(owner.api, folder, onlyFor([]));
    expectFailure(await readAccess(editor.api, folder), 404, 'NOT_FOUND');
  });

  it('an access can be sent back as it was read', async () => {
    const { owner, collection } = await accountWithRights();
    const { access } = expectSuccess(await readAccess(owner.api, collection)) as {
      access: { people: { name: string }[] };
    };
    access.people.forEach((person) => (person.name = 'Ignored'));
    expectSuccess(await putAccess(owner.api, collection, access));
    access.people.reverse();
    expectSuccess(await putAccess(owner.api, collection, access));
    const [entry] = expectSuccess(
      await owner.api.send('GET', '/v1/audit?action=collection.access&limit=1'),
    ) as unknown[];
    expect(JSON.stringify(entry)).not.toContain('Ignored');
  });

  it('an access is set with the ETag of the collection, and only if it is current', async () => {
    const { owner, collection, manager, nobody } = await accountWithRights();
    const access = onlyFor([[manager, 'manager']]);
    const ifMatch = async (etag: string, api = manager.api) =>
      putAccess(api, collection, access, { 'if-match': etag });
    const stale = await ifMatch('"1"');
    expectFailure(stale, 412, 'INVALID_REQUEST');
    expect(stale.body.error.details).toMatchObject({ currentVersion: 2 });
    // Without a right, a failing condition says nothing.
    expectFailure(await ifMatch('"1"', nobody.api), 404, 'NOT_FOUND');
    const { headers } = await owner.api.send('GET', pathOf(collection));
    expectSuccess(await ifMatch(String(headers['etag'])));
    expectFailure(await ifMatch(String(headers['etag'])), 412, 'INVALID_REQUEST');
  });

  it('access needs the scope access:write, which members and admins have', async () => {
    const { owner, collection, access } = await accountWithRights();
    const { key } = await app.anotherKey(owner, {
      scopes: ['documents:read', 'collections:write'],
    });
    const limited = app.api(key);
    const refused = [
      await readAccess(limited, collection),
      await putAccess(limited, collection, null),
      await create(limited, { name: 'New', access }),
      await limited.send('GET', '/v1/members'),
    ];
    for (const response of refused) {
      expectFailure(response, 403, 'FORBIDDEN');
      expect(response.body.error.details).toMatchObject({ requiredScopes: ['access:write'] });
    }
    expectSuccess(await create(limited, { name: 'New', access: null }), 201);
    const reader = await newMember(app, owner, 'viewer');
    expectFailure(await reader.api.send('GET', '/v1/members'), 403, 'FORBIDDEN');
    const admin = await newMember(app, owner, 'admin');
    expectSuccess(await readAccess(admin.api, collection));
  });
});

describe('a right in a collection', () => {
  it('each right is part of the collection, and decides what is refused', async () => {
    const { owner, collection, viewer, editor, manager } = await accountWithRights();
    const rights = { viewer, editor, manager };
    const inside = await newCollection(owner.api, 'Inside', collection.id);
    for (const [right, { api }] of Object.entries(rights)) {
      expect(await listed(api)).toMatchObject([
        { id: inside.id, right, isRestricted: false, parentId: collection.id },
        { id: collection.id, right, isRestricted: true, parentId: null },
      ]);
      expect(expectSuccess(await api.send('GET', pathOf(collection)))).toMatchObject({ right });
    }
    const rename = { body: { name: 'New' } };
    for (const target of [collection, inside]) {
      expectTooLittle(await viewer.api.send('PATCH', pathOf(target), rename), 'editor', 'viewer');
      expectTooLittle(await viewer.api.send('DELETE', pathOf(target)), 'editor', 'viewer');
      for (const right of ['viewer', 'editor'] as const) {
        const { api } = rights[right];
        expectTooLittle(await readAccess(api, target), 'manager', right);
        expectTooLittle(await putAccess(api, target, null), 'manager', right);
      }
    }
    const child = { name: 'Child', parentId: collection.id };
    expectTooLittle(await create(viewer.api, child), 'editor', 'viewer');
    for (const { api } of [editor, manager]) {
      const made = expectSuccess(await create(api, child), 201) as Collection;
      expectSuccess(await api.send('PATCH', pathOf(made), rename));
      expectSuccess(await api.send('DELETE', pathOf(made)));
    }
  });

  it('a collection without a right is exactly like an unknown one, also for preconditions and as a parent', async () => {
    const { owner, collection, nobody } = await accountWithRights();
    const inside = await newCollection(owner.api, 'Inside', collection.id);
    const own = await newCollection(nobody.api, 'Own');
    const { api } = nobody;
    const headers = { 'if-match': '"9"' };
    const requests: ((id: string) => Promise<ApiResponse>)[] = [
      (id) => api.send('GET', pathOf({ id })),
      (id) => api.send('PATCH', pathOf({ id }), { body: { name: 'New' }, headers }),
      (id) => api.send('DELETE', pathOf({ id }), { headers }),
      (id) => readAccess(api, { id }),
      (id) => putAccess(api, { id }, null, headers),
      (id) => create(api, { name: 'New', parentId: id }),
      (id) => move(api, own, id),
    ];
    for (const send of requests) {
      const unknown = comparable(await send(UNKNOWN));
      expect([400, 404]).toContain(unknown.status);
      for (const { id } of [collection, inside])
        expect(comparable(await send(id))).toEqual(unknown);
    }
    expect(await listed(api)).toEqual([own]);
  });

  it('below a hidden parent the parent is null, and a client that sends back what it read moves nothing', async () => {
    const { owner, collection, nobody, editor } = await accountWithRights();
    const shared = await newCollection(owner.api, 'Shared', collection.id);
    await setAccess(owner.api, shared, onlyFor([[nobody, 'editor']]));
    const [seen] = (await listed(nobody.api)) as [Collection];
    expect(seen).toMatchObject({ id: shared.id, parentId: null, right: 'editor' });
    const renamed = await nobody.api.send('PATCH', pathOf(shared), {
      body: { ...seen, name: 'Renamed' },
    });
    expect(expectSuccess(renamed)).toMatchObject({ name: 'Renamed', parentId: null });
    expect(expectSuccess(await owner.api.send('GET', pathOf(shared)))).toMatchObject({
      name: 'Renamed',
      parentId: collection.id,
    });
    // It cannot be moved by somebody who may not change the collection above it.
    const target = await newCollection(nobody.api, 'Target');
    const refused = await move(nobody.api, shared, target.id);
    expectTooLittle(refused, 'editor', null);
    expect(refused.body.error.message).toContain('you have no right there');
    expectFailure(await readAccess(editor.api, shared), 404, 'NOT_FOUND');
  });

  it('a move needs the right to edit at both ends, keeps an own access, and gives the rights of the new parent otherwise', async () => {
    const { owner, collection, viewer, editor, manager, nobody } = await accountWithRights();
    const open = await newCollection(owner.api, 'Open');
    expectTooLittle(await move(viewer.api, open, collection.id), 'editor', 'viewer');
    expectTooLittle(await move(viewer.api, collection, open.id), 'editor', 'viewer');
    expectSuccess(await move(editor.api, collection, open.id));
    expect(await listed(nobody.api)).toMatchObject([{ id: open.id }]);
    expectSuccess(await move(manager.api, collection, null));
    const moved = expectSuccess(await move(manager.api, open, collection.id));
    expect(moved).toMatchObject({ right: 'manager', parentId: collection.id });
    expect(await listed(nobody.api)).toEqual([]);
    const readOnly = await newCollection(owner.api, 'Read only');
    await setAccess(owner.api, readOnly, onlyFor([], 'viewer'));
    expectTooLittle(await move(editor.api, open, readOnly.id), 'editor', 'viewer');
    expectSuccess(await move(owner.api, open, readOnly.id));
    expectTooLittle(await move(editor.api, open, null), 'editor', 'viewer');
  });

  it('a collection with something hidden in it cannot be deleted, and the refusal does not say what it is', async () => {
    const { owner, collection, editor, nobody } = await accountWithRights();
    const hidden = await newCollection(owner.api, 'Hidden', collection.id);
    await setAccess(owner.api, hidden, onlyFor([[nobody, 'editor']]));
    const refused = await editor.api.send('DELETE', pathOf(collection));
    expectFailure(refused, 409, 'INVALID_REQUEST');
    expect(refused.body.error.details).toBeUndefined();
    expectSuccess(await nobody.api.send('DELETE', pathOf(hidden)));
    expectSuccess(await editor.api.send('DELETE', pathOf(collection)));
  });

  it('a client that has a collection in its cache gets it again once its right changes', async () => {
    const { owner, collection, editor, manager } = await accountWithRights();
    const child = await newCollection(owner.api, 'Child', collection.id);
    const { headers } = await editor.api.send('GET', pathOf(child));
    const again = () =>
      editor.api.send('GET', pathOf(child), {
        headers: { 'if-none-match': String(headers['etag']) },
      });
    expect((await again()).status).toBe(304);
    const access = onlyFor([
      [editor, 'viewer'],
      [manager, 'manager'],
    ]);
    await setAccess(manager.api, collection, access);
    expect(expectSuccess(await again())).toMatchObject({ right: 'viewer', version: 1 });
  });

  it('a key that is limited to a collection sees it with those below, and creates nothing elsewhere', async () => {
    const { owner, collection } = await accountWithRights();
    const child = await newCollection(owner.api, 'Child', collection.id);
    const outside = await newCollection(owner.api, 'Outside');
    const { key, keyId } = await app.anotherKey(owner, {
      scopes: ['documents:read', 'collections:write'],
    });
    await app.dataSource.query('UPDATE api_keys SET collections = $2 WHERE id = $1', [
      keyId,
      [decodeId('collection', collection.id)],
    ]);
    const limited = app.api(key);
    expect(await listed(limited)).toMatchObject([
      { id: child.id, parentId: collection.id },
      { id: collection.id, parentId: null, right: 'manager' },
    ]);
    for (const parentId of [undefined, null]) {
      const refused = await create(limited, { name: 'New', parentId });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details).toMatchObject({
        field: 'parentId',
        issue: expect.stringContaining('is required') as string,
      });
    }
    expectFailure(await move(limited, child, null), 400, 'INVALID_REQUEST');
    expectFailure(await move(limited, child, outside.id), 400, 'INVALID_REQUEST');
    expectTooLittle(await move(limited, collection, child.id), 'editor', null);
    expectFailure(await limited.send('DELETE', pathOf(outside)), 404, 'NOT_FOUND');
    expectSuccess(await create(limited, { name: 'New', parentId: child.id }), 201);
  });
});

describe('the names of members', () => {
  it('members and service accounts are found by a part of their name, without addresses', async () => {
    const owner = await app.account();
    const member = await newMember(app, owner);
    await app.account();
    const service = expectSuccess(
      await owner.api.send('POST', '/v1/service-accounts', {
        body: { name: 'Website %', role: 'member' },
      }),
      201,
    ) as { id: string };
    const found = async (query: string) => {
      const response = await member.api.send('GET', `/v1/members${query}`);
      expect(response.text).not.toContain('@');
      return expectSuccess(response) as { id: string; name: string }[];
    };
    const ada = { id: owner.user.id, name: 'Ada Lovelace', kind: 'person', role: 'owner' };
    expect(await found('')).toEqual([
      ada,
      { id: member.userId, name: expect.any(String) as string, kind: 'person', role: 'member' },
      { id: service.id, name: 'Website %', kind: 'service', role: 'member' },
    ]);
    expect(await found('?q=LOVE')).toEqual([ada]);
    expect(await found('?q=%25')).toMatchObject([{ id: service.id }]);
    expect(await found('?q=example.com')).toEqual([]);
    expectFailure(await member.api.send('GET', '/v1/members?q=a%00'), 400, 'INVALID_REQUEST');
    const page = await member.api.send('GET', '/v1/members?limit=1');
    expect(page.body.meta.pagination).toMatchObject({ total: 3, hasMore: true });
    const service2 = onlyFor([[{ userId: service.id }, 'viewer']]);
    expectSuccess(await create(owner.api, { name: 'For a program', access: service2 }), 201);
  });
});

describe('a change of rights', () => {
  it('a right that is taken away or given holds for the next request on every replica', async () => {
    const { owner, collection, editor, manager } = await accountWithRights();
    const child = await newCollection(owner.api, 'Child', collection.id);
    const elsewhere = other.api(editor.key);
    const without = onlyFor([[manager, 'manager']]);
    const withEditor = onlyFor([
      [manager, 'manager'],
      [editor, 'viewer'],
    ]);
    for (let round = 0; round < 10; round += 1) {
      await setAccess(manager.api, collection, withEditor);
      expect((await listed(elsewhere)).map(({ id }) => id).sort()).toEqual(
        [collection.id, child.id].sort(),
      );
      expectSuccess(await elsewhere.send('GET', pathOf(child)));
      await setAccess(manager.api, collection, without);
      expectFailure(await elsewhere.send('GET', pathOf(child)), 404, 'NOT_FOUND');
      expect(await listed(elsewhere)).toEqual([]);
    }
  });

  it('a person who is removed and invited again has no right of before, not even in own collections', async () => {
    const owner = await signUpAs(app);
    const { accountId } = owner;
    const guest = await join(app, accountId, 'member');
    const api = (path: string) => `/accounts/${accountId}/v1${path}`;
    const mine = expectSuccess(
      await guest.browser.send('POST', api('/collections'), {
        name: 'Mine',
        access: { everyone: null, people: [] },
      }),
      201,
    ) as Collection;
    const theirs = expectSuccess(
      await owner.browser.send('POST', api('/collections'), {
        name: 'Theirs',
        access: { everyone: null, people: [{ userId: guest.user.id, right: 'manager' }] },
      }),
      201,
    ) as Collection;
    const seen = async () =>
      (expectSuccess(await guest.browser.send('GET', api('/collections'))) as Collection[]).map(
        ({ id }) => id,
      );
    expect(await seen()).toEqual([mine.id, theirs.id]);
    const left = await owner.browser.send(
      'DELETE',
      `/accounts/${accountId}/members/${guest.user.id}`,
    );
    expect(left.status).toBe(204);
    expectFailure(await guest.browser.send('GET', api('/collections')), 404, 'NOT_FOUND');
    const { link } = expectSuccess(
      await owner.browser.send('POST', `/accounts/${accountId}/invitations`, {
        email: guest.user.email,
        role: 'member',
      }),
      201,
    ) as { link: string };
    const token = link.split('#')[1];
    expectSuccess(await guest.browser.send('POST', '/links/use', { token }), 201);
    expect(await seen()).toEqual([]);
    for (const collection of [mine, theirs]) {
      const access = await owner.browser.send('GET', api(`/collections/${collection.id}/access`));
      expect(access.text).not.toContain(guest.user.id);
    }
  });
});

describe('at once', () => {
  it('50 moves at once by members on two replicas make no cycle, and every collection keeps its own access', async () => {
    const owner = await app.account({ plan: 'enterprise' });
    const members = [await newMember(app, owner), await newMember(app, owner)];
    const all: Collection[] = [];
    for (let index = 0; index < 12; index += 1) {
      const collection = await newCollection(owner.api, `Folder ${String(index)}`);
      // Each third one is only for one of the two.
      if (index % 3 === 2)
        await setAccess(
          owner.api,
          collection,
          onlyFor([[members[index % 2] as NewMember, 'editor']]),
        );
      all.push(collection);
    }
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const { key } = members[index % 2] as NewMember;
        const api = (index % 4 < 2 ? app : other).api(key);
        const collection = all[(index * 7) % all.length] as Collection;
        const parent = all[(index * 5 + 3) % all.length] as Collection;
        return (await whileBusy(() => move(api, collection, parent.id))).status;
      }),
    );
    expect(statuses.filter((status) => ![200, 400, 403, 404, 409].includes(status))).toEqual([]);
    expect(statuses).toContain(200);
    const tree = await listed(owner.api, '?limit=1000');
    const parents = new Map(tree.map(({ id, parentId }) => [id, parentId]));
    for (const { id } of tree) {
      let depth = 0;
      for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) depth += 1;
      expect(depth).toBeLessThanOrEqual(8);
    }
    const restricted = tree.filter(({ isRestricted }) => isRestricted).map(({ id }) => id);
    expect(restricted.sort()).toEqual(
      all
        .filter((_, index) => index % 3 === 2)
        .map(({ id }) => id)
        .sort(),
    );
  });
});
