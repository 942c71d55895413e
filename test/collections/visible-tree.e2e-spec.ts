import fc from 'fast-check';
import {
  RIGHTS,
  rightsIn,
  type StoredAccess,
  type TreeCollection,
  type Visitor,
} from '../../src/features/auth/access/rights.js';
import { ROLES } from '../../src/features/auth/roles.js';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeKey } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { propertyRuns } from '../support/property-runs.js';
import { newMember, pathOf, type Collection } from './collections-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const PEOPLE = ROLES.length;
const person = fc.integer({ min: 0, max: PEOPLE - 1 });
const right = fc.constantFrom(...RIGHTS);

/** A collection whose parent and people are indexes. `parent` -1 is the root. */
const node = fc.record({
  parent: fc.integer({ min: -1, max: 30 }),
  name: fc.constantFrom('a', 'B', 'é', 'Plans', '計画'),
  access: fc.option(
    fc.record({
      everyone: fc.option(right),
      people: fc.uniqueArray(fc.record({ person, right }), {
        maxLength: 3,
        selector: (entry) => entry.person,
      }),
    }),
    { freq: 2 },
  ),
  maker: fc.option(person),
  isDeleted: fc.boolean(),
  documents: fc.integer({ min: 0, max: 2 }),
});
const tree = fc.array(node, { minLength: 1, maxLength: 25 });
type Node = typeof node extends fc.Arbitrary<infer One> ? One : never;

interface StoredCollection extends TreeCollection {
  name: string;
  isDeleted: boolean;
  documents: number;
}

/** Returns collections with UUIDs. Those with others below them are not deleted. */
function collectionsOf(nodes: readonly Node[], people: readonly string[]): StoredCollection[] {
  const ids = nodes.map(() => newUuid());
  const parents = nodes.map(({ parent }, index) =>
    parent === -1 || index === 0 ? null : (ids[parent % index] ?? null),
  );
  const personOf = (index: number) => people[index] ?? '';
  return nodes.map(({ name, access, maker, isDeleted, documents }, index) => ({
    id: ids[index] ?? '',
    parentId: parents[index] ?? null,
    name,
    access: access && {
      everyone: access.everyone,
      people: access.people.map((entry) => ({
        userId: personOf(entry.person),
        right: entry.right,
      })),
    },
    createdBy: maker === null ? null : personOf(maker),
    isDeleted: isDeleted && !parents.includes(ids[index] ?? ''),
    documents,
  }));
}

async function store(
  { accountId, userId }: { accountId: string; userId: string },
  collections: readonly StoredCollection[],
): Promise<void> {
  await app.dataSource.query(
    `INSERT INTO collections (id, account_id, parent_id, name, access, version, created_by, created_at, updated_at, deleted_at)
     SELECT id, $1, "parentId", name, access, 1, "createdBy", now(), now(), CASE WHEN "isDeleted" THEN now() END
       FROM json_to_recordset($2) AS given (id uuid, "parentId" uuid, name text, access jsonb, "createdBy" uuid, "isDeleted" boolean)`,
    [accountId, JSON.stringify(collections)],
  );
  await app.dataSource.query(
    `INSERT INTO documents (id, account_id, created_by, collection_id, type, title, content, excerpt, status, metadata,
                            ai_settings, word_count, version, created_at, updated_at, deleted_at)
     SELECT uuid_v7(), $1, $2, id, 'document', 'x', '', '', 'draft', '{}', '{}', 0, 1, now(), now(), CASE WHEN "isDeleted" THEN now() END
       FROM json_to_recordset($3) AS given (id uuid, documents integer, "isDeleted" boolean), generate_series(1, documents)`,
    [accountId, userId, JSON.stringify(collections)],
  );
}

/** Returns all pages of the list, and checks their totals. */
async function pagesOf(api: ApiClient, query: string, total: number): Promise<Collection[]> {
  const found: Collection[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const continued = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await api.send('GET', `/v1/collections?limit=7&${query}${continued}`);
    found.push(...(expectSuccess(response) as Collection[]));
    const { pagination } = response.body.meta as {
      pagination: { total: number; nextCursor: string | null };
    };
    expect(pagination.total).toBe(total);
    cursor = pagination.nextCursor;
  }
  return found;
}

/** The collections that a visitor sees, by name and ID, from the pure function. */
function expectedFor(collections: readonly StoredCollection[], visitor: Visitor) {
  const rights = rightsIn(collections, visitor);
  const shown = (id: string | null) =>
    id !== null && rights.of(id) != null ? encodeId('collection', id) : null;
  return collections
    .filter(({ id, isDeleted }) => !isDeleted && rights.of(id) != null)
    .map(({ id, parentId, name, access, documents }) => ({
      id: encodeId('collection', id),
      name,
      parentId: shown(parentId),
      isRestricted: access !== null,
      right: rights.of(id),
      documentCount: documents,
    }))
    .sort((one, two) =>
      Buffer.compare(Buffer.from(`${one.name}\0${one.id}`), Buffer.from(`${two.name}\0${two.id}`)),
    );
}

const fieldsOf = ({ id, name, parentId, isRestricted, right: own, documentCount }: Collection) => ({
  id,
  name,
  parentId,
  isRestricted,
  right: own,
  documentCount,
});

describe('the visible tree', () => {
  it('list, totals, counts and reads of random trees are what the pure function says, for every role and limited keys', async () => {
    const property = fc.asyncProperty(
      tree,
      fc.constantFrom('asc', 'desc'),
      fc.array(fc.nat(30), { maxLength: 3 }),
      async (nodes, order, limits) => {
        const owner = await app.account();
        const people = await Promise.all(ROLES.map((role) => newMember(app, owner, role)));
        const uuids = people.map(({ uuid }) => uuid);
        const collections = collectionsOf(nodes, uuids);
        await store(owner, collections);
        const visitors = people.map(({ api, uuid: userId }, index) => {
          const visitor: Visitor = { userId, role: ROLES[index] ?? 'viewer', collections: null };
          return { api, visitor };
        });
        // A key of the member, limited to some collections, of which some may not exist.
        const limited = limits.map((index) => collections[index]?.id ?? newUuid());
        const userId = uuids[ROLES.indexOf('member')] ?? '';
        const { key, keyId } = await makeKey(app.dataSource, { ...owner, userId });
        await app.dataSource.query('UPDATE api_keys SET collections = $2 WHERE id = $1', [
          keyId,
          limited,
        ]);
        visitors.push({
          api: app.api(key),
          visitor: { userId, role: 'member', collections: limited },
        });
        for (const { api, visitor } of visitors) {
          const expected = expectedFor(collections, visitor);
          const query = `include=counts&order=${order}`;
          const found = await pagesOf(api, query, expected.length);
          const inOrder = order === 'asc' ? found : found.reverse();
          expect(inOrder.map(fieldsOf)).toEqual(expected);
          const seen = new Map(expected.map((collection) => [collection.id, collection]));
          for (const { id } of collections.slice(0, 8)) {
            const publicId = encodeId('collection', id);
            const { status, body } = await api.send('GET', pathOf({ id: publicId }));
            const one = seen.get(publicId);
            expect([status, (body as { data?: Collection }).data?.right]).toEqual(
              one ? [200, one.right] : [404, undefined],
            );
          }
        }
      },
    );
    await fc.assert(property, { numRuns: propertyRuns(100) });
  });

  it('a cursor of a limited member continues after the visible collections have changed', async () => {
    const owner = await app.account();
    const member = await newMember(app, owner);
    for (const name of ['a', 'b', 'c', 'd'])
      await owner.api.send('POST', '/v1/collections', { body: { name } });
    const hidden: StoredAccess = { everyone: null, people: [] };
    await app.dataSource.query(
      `UPDATE collections SET access = $2::jsonb WHERE account_id = $1 AND name = 'd'`,
      [owner.accountId, JSON.stringify(hidden)],
    );
    const first = await member.api.send('GET', '/v1/collections?limit=2');
    const { nextCursor, total } = first.body.meta.pagination as {
      nextCursor: string;
      total: number;
    };
    expect(total).toBe(3);
    await owner.api.send('POST', '/v1/collections', { body: { name: 'bb' } });
    const second = await member.api.send('GET', `/v1/collections?limit=2&cursor=${nextCursor}`);
    expect((expectSuccess(second) as Collection[]).map(({ name }) => name)).toEqual(['bb', 'c']);
    expect(second.body.meta.pagination).toMatchObject({ total: 4, hasMore: false });
  });
});
