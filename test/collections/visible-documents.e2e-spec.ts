import fc from 'fast-check';
import { RIGHTS, ROOT, type StoredAccess } from '../../src/features/auth/access/rights.js';
import type { Role } from '../../src/features/auth/roles.js';
import { decodeId, encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { insertRows, updateIndex } from '../documents/document-rows.js';
import {
  ask,
  expectFacets,
  scan,
  sorted,
  type ModelDocument,
  type ModelQuery,
} from '../documents/search-model.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { propertyRuns } from '../support/property-runs.js';
import { newMember } from './collections-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** The callers of each tree. The last two have keys that are limited to some collections. */
type CallerName = 'owner' | 'member' | 'viewer' | 'service account' | 'limited' | 'limited owner';
/** Callers that an access can name. */
const NAMED = ['member', 'viewer', 'service account', 'limited'] as const;

interface Collection {
  id: string;
  parentId: string | null;
  access: StoredAccess | null;
  createdBy: string | null;
  isDeleted: boolean;
}

interface Caller {
  name: CallerName;
  api: ApiClient;
  userId: string;
  role: Role;
  /** UUIDs of collections. */
  limits: readonly string[] | null;
}

interface Placed extends ModelDocument {
  /** UUID. */
  place: string;
}

/** A tree, before its collections and people have IDs. Indexes of collections can be too high: then they wrap. */
const trees = fc.record({
  collections: fc.array(
    fc.record({
      /** -1 is the root, otherwise one of the collections before it. */
      parent: fc.integer({ min: -1, max: 15 }),
      access: fc.option(
        fc.record({
          everyone: fc.option(fc.constantFrom(...RIGHTS), { freq: 1 }),
          people: fc.uniqueArray(
            fc.record({ who: fc.constantFrom(...NAMED), right: fc.constantFrom(...RIGHTS) }),
            { maxLength: 3, selector: ({ who }) => who },
          ),
        }),
        { freq: 2 },
      ),
      maker: fc.option(fc.constantFrom(...NAMED), { freq: 1 }),
      isDeleted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  limits: fc.array(fc.nat(15), { maxLength: 3 }),
  documents: fc.array(
    fc.record({
      /** -1 is the root. */
      place: fc.integer({ min: -1, max: 15 }),
      type: fc.constantFrom('report', 'article'),
      tags: fc.subarray(['a', 'b']),
      department: fc.constantFrom('x', 'y'),
      word: fc.constantFrom('kilo', 'lima', 'mike'),
      deleted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  ),
  /** What to ask for beside everything. Collections as indexes; -1 is the root, -2 an unknown one. */
  asked: fc.array(
    fc.record(
      {
        collection: fc.array(fc.integer({ min: -2, max: 15 }), { minLength: 1, maxLength: 2 }),
        type: fc.constantFrom(['report'], ['report', 'article']),
        tag: fc.constant(['a']),
        department: fc.constantFrom(['x'], ['x', 'y']),
        q: fc.constantFrom('kilo', 'lima').map((word) => [word]),
        deleted: fc.boolean(),
        sort: fc.constantFrom('created_at', 'updated_at', 'title', 'word_count'),
        order: fc.constantFrom('asc', 'desc'),
      },
      { requiredKeys: [] },
    ),
    { minLength: 3, maxLength: 5 },
  ),
});
type Tree = typeof trees extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns the member of a list for an index of any size. */
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

async function callersIn(account: TestAccount & { api: ApiClient }): Promise<Caller[]> {
  const person = async (name: CallerName, role: Role): Promise<Caller & { key: string }> => {
    const { api, uuid, key } = await newMember(app, account, role);
    return { name, api, userId: uuid, role, limits: null, key };
  };
  const service = await person('service account', 'member');
  await app.dataSource.query(`UPDATE users SET kind = 'service' WHERE id = $1`, [service.userId]);
  const { key } = await app.anotherKey(account);
  return [
    { name: 'owner', api: account.api, userId: account.userId, role: 'owner', limits: null },
    await person('member', 'member'),
    await person('viewer', 'viewer'),
    service,
    { ...(await person('limited', 'member')), limits: [] },
    { name: 'limited owner', api: app.api(key), userId: account.userId, role: 'owner', limits: [] },
  ];
}

/** Stores a tree, and limits the keys of the limited callers. */
async function plant(
  { collections: nodes, limits: limitedTo }: Tree,
  { accountId }: TestAccount,
  callers: readonly Caller[],
): Promise<{ collections: Collection[]; callers: Caller[] }> {
  const userOf = (name: CallerName) => callers.find((one) => one.name === name)?.userId ?? '';
  const collections: Collection[] = [];
  for (const { parent, access, maker, isDeleted } of nodes) {
    const above = collections.length === 0 || parent < 0 ? null : at(collections, parent);
    collections.push({
      id: newUuid(),
      parentId: above?.id ?? null,
      access: access && {
        everyone: access.everyone,
        people: access.people.map(({ who, right }) => ({ userId: userOf(who), right })),
      },
      createdBy: maker && userOf(maker),
      isDeleted: isDeleted || above?.isDeleted === true,
    });
  }
  await app.dataSource.query(
    `INSERT INTO collections (id, account_id, parent_id, name, access, version, created_by, created_at, updated_at, deleted_at)
     SELECT id, $1, "parentId", 'Collection', access, 1, "createdBy", now(), now(), CASE WHEN "isDeleted" THEN now() END
       FROM jsonb_to_recordset($2::jsonb) AS made (
         id uuid, "parentId" uuid, access jsonb, "createdBy" uuid, "isDeleted" boolean)`,
    [accountId, JSON.stringify(collections).replaceAll('"access":null,', '')],
  );
  const limits = limitedTo.map((index) => at(collections, index).id);
  await app.dataSource.query(
    `UPDATE api_keys SET collections = $2::uuid[]
      WHERE account_id = $1 AND (user_id = $3 OR id IN (
        SELECT id FROM api_keys WHERE account_id = $1 AND user_id = $4 ORDER BY created_at DESC, id DESC LIMIT 1))`,
    [accountId, limits, userOf('limited'), userOf('owner')],
  );
  const limited = callers.map((one) => (one.limits === null ? one : { ...one, limits }));
  return { collections, callers: limited };
}

/** Stores documents and returns them as the API shows them. Those of deleted collections are in the trash. */
async function write(
  { documents }: Tree,
  { accountId, user }: TestAccount,
  collections: readonly Collection[],
): Promise<Placed[]> {
  const placed = documents.map(({ place, type, tags, department, word, deleted }, n): Placed => {
    const home = place < 0 ? undefined : at(collections, place);
    const moment = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
    return {
      id: encodeId('document', newUuid()),
      title: `${word} ${String(n)}`,
      content: n % 2 === 0 ? `${word} november` : 'november',
      type,
      status: 'draft',
      metadata: { tags, department },
      createdBy: user.id,
      templateId: null,
      wordCount: n % 3,
      createdAt: moment,
      updatedAt: moment,
      deleted: deleted || home?.isDeleted === true,
      place: home?.id ?? ROOT,
    };
  });
  await insertRows(app.dataSource, accountId, placed);
  const places = placed.map(({ id, place }) => ({ id: decodeId('document', id), place }));
  await app.dataSource.query(
    `UPDATE documents SET collection_id = place
       FROM jsonb_to_recordset($1::jsonb) AS put (id uuid, place uuid) WHERE documents.id = put.id`,
    [JSON.stringify(places)],
  );
  return placed;
}

/** Returns the collections from `id` to the root. */
function wayUp(collections: readonly Collection[], id: string): Collection[] {
  const found = collections.find((one) => one.id === id);
  if (!found) return [];
  return [found, ...(found.parentId === null ? [] : wayUp(collections, found.parentId))];
}

/** True if the rules of docs/adr/0043-collections-and-rights.md give the caller any right in a place. */
function isVisible(place: string, collections: readonly Collection[], caller: Caller): boolean {
  const { limits, role, userId } = caller;
  const way = wayUp(collections, place);
  if (limits !== null && !way.some(({ id }) => limits.includes(id))) return false;
  if (role === 'owner') return true;
  const deciding = way.find(({ access }) => access !== null);
  if (!deciding || deciding.createdBy === userId) return true;
  const { everyone, people } = deciding.access as StoredAccess;
  return everyone !== null || people.some((entry) => entry.userId === userId);
}

/** True if the caller sees all collections from `place` up to one that the filter names. */
function isBelow(
  place: string,
  asked: readonly string[],
  collections: readonly Collection[],
  caller: Caller,
): boolean {
  if (place === ROOT) return asked.includes('root');
  const way = wayUp(collections, place);
  const named = way.findIndex(({ id }) => asked.includes(encodeId('collection', id)));
  return (
    named >= 0 && way.slice(0, named + 1).every(({ id }) => isVisible(id, collections, caller))
  );
}

interface Asked {
  query: ModelQuery;
  sort: string;
  order: string;
}

/** Returns what to ask for: every document, the trash, and the random requests. */
function askedOf({ asked }: Tree, collections: readonly Collection[]): Asked[] {
  const idOf = (index: number) =>
    index === -1
      ? 'root'
      : encodeId('collection', index < 0 ? newUuid() : at(collections, index).id);
  const random = asked.map(({ sort = 'title', order = 'asc', collection, ...query }) => ({
    query: { ...query, ...(collection && { collection: [...new Set(collection.map(idOf))] }) },
    sort,
    order,
  }));
  const all = { sort: 'created_at', order: 'desc' };
  return [{ query: {}, ...all }, { query: { deleted: true }, ...all }, ...random];
}

/** Expects the same documents, in order and page by page, the same total, and the same facets. */
async function expectFound(
  api: ApiClient,
  { query, sort, order }: Asked,
  matching: readonly ModelDocument[],
): Promise<void> {
  const expected = sorted(matching, sort, order);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const response = await ask(api, query, { sort, order, limit: 20, cursor });
    ids.push(...(expectSuccess(response) as { id: string }[]).map(({ id }) => id));
    const { total, nextCursor } = response.body.meta.pagination as {
      total: number;
      nextCursor: string | null;
    };
    expect(total).toBe(expected.length);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(ids).toEqual(expected);
  const second = await ask(api, query, { sort, order, limit: 5, page: 2 });
  expect((second.body.data as { id: string }[]).map(({ id }) => id)).toEqual(expected.slice(5, 10));
  await expectFacets(api, query, matching);
}

describe('the documents that a caller sees', () => {
  it(
    'lists, filters, searches, facets, totals and the trash are those of a count by hand, in any tree, for everybody',
    async () => {
      await fc.assert(
        fc.asyncProperty(trees, async (tree) => {
          const account = await app.account();
          const planted = await plant(tree, account, await callersIn(account));
          const { collections, callers } = planted;
          const documents = await write(tree, account, collections);
          await updateIndex(app);
          for (const caller of callers) {
            const shown = documents.filter(({ place }) => isVisible(place, collections, caller));
            for (const asked of askedOf(tree, collections)) {
              const { collection } = asked.query;
              const there = collection
                ? shown.filter(({ place }) => isBelow(place, collection, collections, caller))
                : shown;
              await expectFound(caller.api, asked, scan(there, asked.query));
            }
          }
        }),
        { numRuns: propertyRuns(200) },
      );
    },
    30 * 60 * 1000,
  );
});
