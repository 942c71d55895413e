import { decodeId, encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeKey } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { exportedArchive, importedArchive } from '../support/jobs.js';
import { listed, newCollection, pathOf, type Collection } from '../collections/collections-api.js';
import { recordsIn, stateOf } from './account-state.js';
import { sealed } from './tampering.js';

const WITH_WORKER = { environment: { PROCESS_ROLE: 'all' }, stopClock: false };

let here: TestApp;
let there: TestApp;
beforeAll(async () => {
  [here, there] = await Promise.all([startTestApp(WITH_WORKER), startTestApp(WITH_WORKER)]);
});
afterAll(() => Promise.all([here.close(), there.close()]));

interface Member {
  api: ApiClient;
  uuid: string;
}

/** Adds a member with a key. The same person has the same email address in every service. */
async function memberOf(app: TestApp, accountId: string, name: string): Promise<Member> {
  const uuid = newUuid();
  await app.dataSource.query(
    `INSERT INTO users (id, email, name, email_verified_at, created_at) VALUES ($1, $2, $3, now(), now())`,
    [uuid, `${name}.${accountId.slice(-6)}@example.com`, name],
  );
  await app.dataSource.query(
    `INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, 'member', now())`,
    [accountId, uuid],
  );
  const { key } = await makeKey(app.dataSource, { accountId, userId: uuid });
  return { api: app.api(key), uuid };
}

const uuidOf = ({ id }: Pick<Collection, 'id'>) => decodeId('collection', id) ?? '';

async function restrict(app: TestApp, collection: Collection, access: object): Promise<void> {
  await app.dataSource.query('UPDATE collections SET access = $2 WHERE id = $1', [
    uuidOf(collection),
    JSON.stringify(access),
  ]);
}

async function created(api: ApiClient, body: object): Promise<string> {
  return (expectSuccess(await api.createDocument(body), 201) as { id: string }).id;
}

const rightsOf = (app: TestApp, accountId: string) =>
  app.dataSource.query<{ name: string; access: object | null; created_by: string | null }[]>(
    'SELECT name, access, created_by FROM collections WHERE account_id = $1 ORDER BY name',
    [accountId],
  );

describe('An archive of an account with collections', () => {
  it('restores the tree, the places of documents and the rights of people who are members of both accounts', async () => {
    const account = await here.account();
    const { api } = account;
    const [kim, lee] = [
      await memberOf(here, account.accountId, 'kim'),
      await memberOf(here, account.accountId, 'lee'),
    ];
    const legal = await newCollection(api, 'Legal');
    const contracts = await newCollection(api, 'Contracts', legal.id);
    await newCollection(api, 'Open');
    await restrict(here, legal, {
      everyone: null,
      people: [
        { userId: kim.uuid, right: 'editor' },
        { userId: lee.uuid, right: 'viewer' },
      ],
    });
    await restrict(here, contracts, {
      everyone: null,
      people: [{ userId: lee.uuid, right: 'manager' }],
    });
    const inLegal = await created(api, { title: 'NDA', collectionId: legal.id });
    await api.patchDocument(inLegal, { title: 'NDA 2', collectionId: contracts.id });
    await created(api, { title: 'At the root' });
    const before = await stateOf(api);

    const archive = await exportedArchive(api);
    const records = recordsIn(archive);
    expect(records[0]).toMatchObject({ version: 2, counts: { collection: 3 } });
    expect(records.filter(({ record }) => record === 'collection')).toMatchObject([
      {
        id: legal.id,
        name: 'Legal',
        parentId: null,
        access: {
          everyone: null,
          people: [
            { user: { id: encodeId('user', kim.uuid), name: 'kim' }, right: 'editor' },
            { right: 'viewer' },
          ],
        },
        createdBy: { id: account.user.id },
      },
      { id: contracts.id, parentId: legal.id },
      { name: 'Open', access: null },
    ]);

    const target = await there.account();
    // Kim has the same address in the other service. Lee is not a member there.
    const other = await memberOf(there, target.accountId, 'kim');
    await there.dataSource.query('UPDATE users SET email = $2 WHERE id = $1', [
      other.uuid,
      `kim.${account.accountId.slice(-6)}@example.com`,
    ]);
    const job = await importedArchive(target.api, archive);
    expect(job).toMatchObject({
      status: 'succeeded',
      error: null,
      result: {
        summary: {
          imported: { collections: 3, documents: 2 },
          newIds: {},
          accessEntriesRemoved: 2,
        },
      },
    });
    expect(await stateOf(target.api)).toEqual(before);
    const places = (collections: Collection[]) =>
      collections.map(({ id, name, parentId }) => ({ id, name, parentId }));
    expect(places(await listed(target.api))).toEqual(places(await listed(api)));
    expect(await rightsOf(there, target.accountId)).toEqual([
      { name: 'Contracts', access: { everyone: null, people: [] }, created_by: null },
      {
        name: 'Legal',
        access: { everyone: null, people: [{ userId: other.uuid, right: 'editor' }] },
        created_by: null,
      },
      { name: 'Open', access: null, created_by: null },
    ]);
  });

  it('restores the maker of a collection, who manages it, in their own account', async () => {
    const account = await here.account();
    const maker = await memberOf(here, account.accountId, 'maker');
    const made = await newCollection(maker.api, 'Mine');
    await restrict(here, made, { everyone: null, people: [] });
    const archive = await exportedArchive(account.api);
    expectSuccess(await account.api.send('DELETE', pathOf(made)));
    const job = await importedArchive(account.api, archive);
    // The deleted collection may still be stored, so its ID is not free.
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { summary: { newIds: { collection: 1 } } },
    });
    const [restored] = (await rightsOf(here, account.accountId)).slice(-1);
    expect(restored).toMatchObject({
      access: { everyone: null, people: [] },
      created_by: maker.uuid,
    });
  });

  it('restores the trash of a deleted collection with its access, so that only its readers find it', async () => {
    const account = await here.account();
    const { api } = account;
    const secret = await newCollection(api, 'Secret');
    await restrict(here, secret, { everyone: null, people: [] });
    const id = await created(api, { title: 'Thrown away', collectionId: secret.id });
    expectSuccess(await api.deleteDocument(id));
    expectSuccess(await api.send('DELETE', pathOf(secret)));
    const target = await there.account();
    const archive = await exportedArchive(api);
    expect(await importedArchive(target.api, archive)).toMatchObject({ status: 'succeeded' });
    expect(await listed(target.api)).toEqual([]);
    const [row] = await there.dataSource.query<object[]>(
      `SELECT item.deleted_at IS NOT NULL AS "isDeleted", item.access FROM documents
         JOIN collections AS item ON item.id = documents.collection_id WHERE documents.account_id = $1`,
      [target.accountId],
    );
    expect(row).toEqual({ isDeleted: true, access: { everyone: null, people: [] } });
  });

  it('has version 1 and no line of collections if the account has none', async () => {
    const { api } = await here.account();
    await created(api, { title: 'Only one' });
    const archive = await exportedArchive(api);
    expect(recordsIn(archive)[0]).toMatchObject({ version: 1 });
    expect(archive).not.toMatch(/collection/i);
  });

  it('is refused with the line of a collection that is in no tree, and of a document in no collection of the archive', async () => {
    const { api } = await here.account();
    const parent = await newCollection(api, 'Parent');
    const child = await newCollection(api, 'Child', parent.id);
    await created(api, { title: 'Inside', collectionId: child.id });
    const archive = await exportedArchive(api);
    const unknown = encodeId('collection', newUuid());
    const edit = (record: string, change: (line: Record<string, any>) => void) => {
      const records = recordsIn(archive);
      change(records.findLast((line) => line['record'] === record) ?? {});
      return sealed(records);
    };
    const refusals: [string, string][] = [
      [edit('collection', (line) => (line['parentId'] = unknown)), 'parentId'],
      [edit('collection', (line) => void (line['parentId'] = line['id'])), 'parentId'],
      [edit('collection', (line) => (line['id'] = parent.id)), 'id'],
      [edit('collection', (line) => (line['name'] = 'two\nlines')), 'name'],
      [
        edit('collection', (line) => (line['access'] = { everyone: 'owner', people: [] })),
        'access',
      ],
      [edit('document', (line) => (line['collectionId'] = unknown)), 'collectionId'],
      [edit('collection', (line) => void (line['deletedAt'] = line['createdAt'])), 'collectionId'],
    ];
    for (const [text, field] of refusals) {
      const { api: target } = await there.account();
      const { status, error } = await importedArchive(target, text);
      expect({ status, field: error?.details.field }).toEqual({ status: 'failed', field });
      expect(await listed(target)).toEqual([]);
    }
  });

  it('is not imported into an account that has collections', async () => {
    const { api } = await here.account();
    const archive = await exportedArchive(api);
    const { api: target } = await there.account();
    await newCollection(target);
    const refused = await target.importAccount(archive);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { details: { has: 'collections' } } },
    });
  });
});
