import fc from 'fast-check';
import { propertyRuns } from '../../../../test/support/property-runs.js';
import { ROLES } from '../roles.js';
import {
  includesRight,
  RIGHTS,
  rightsIn,
  ROOT,
  type Right,
  type StoredAccess,
  type TreeCollection,
  type Visitor,
} from './rights.js';

const USERS = ['ada', 'grace', 'joan', 'mary'];
const right = fc.constantFrom(...RIGHTS);

const access: fc.Arbitrary<StoredAccess | null> = fc.option(
  fc.record({
    everyone: fc.option(right),
    people: fc.uniqueArray(fc.record({ userId: fc.constantFrom(...USERS), right }), {
      maxLength: 3,
      selector: ({ userId }) => userId,
    }),
  }),
  { freq: 2 },
);

/** Each collection is below an earlier one, at the root, or below one that is not in the tree. The order is random. */
const tree: fc.Arbitrary<TreeCollection[]> = fc
  .array(
    fc.record({
      parent: fc.integer({ min: -2, max: 30 }),
      access,
      maker: fc.option(fc.constantFrom(...USERS)),
    }),
    { maxLength: 40 },
  )
  .map((nodes) =>
    nodes.map(({ parent, access: own, maker }, index) => ({
      id: `c${String(index)}`,
      parentId:
        parent === -2 ? 'gone' : parent === -1 || index === 0 ? null : `c${String(parent % index)}`,
      access: own,
      createdBy: maker,
    })),
  )
  .chain((collections) => fc.shuffledSubarray(collections, { minLength: collections.length }));

const limit = fc.option(
  fc.array(
    fc.integer({ max: 45, min: 0 }).map((index) => `c${String(index)}`),
    { maxLength: 3 },
  ),
);

const visitor: fc.Arbitrary<Visitor> = fc.record({
  userId: fc.constantFrom(...USERS),
  role: fc.constantFrom(...ROLES, 'member' as const, 'viewer' as const),
  collections: limit,
  tokenCollections: limit,
});

/** Returns the collections from `id` to the root, or undefined if one of them is missing. */
function wayUp(collections: readonly TreeCollection[], id: string): TreeCollection[] | undefined {
  const way: TreeCollection[] = [];
  for (let at: string | null = id; at !== null;) {
    const next = collections.find((one) => one.id === at);
    if (!next) return undefined;
    way.push(next);
    at = next.parentId;
  }
  return way;
}

/** The rules of docs/adr/0043-collections-and-rights.md, one after the other, for one place. */
function referenceRight(
  collections: readonly TreeCollection[],
  { userId, role, collections: ofKey, tokenCollections: ofToken }: Visitor,
  id: string,
): Right | null {
  const known = id === ROOT ? [] : collections.filter((one) => one.id === id);
  const way = known.flatMap((one) => wayUp(collections, one.id) ?? untilGap(collections, one));
  for (const limits of [ofKey, ofToken])
    if (limits != null && !way.some((one) => limits.includes(one.id))) return null;
  if (role === 'owner' || role === 'admin') return 'manager';
  const deciding = way.find((one) => one.access !== null);
  if (!deciding) return way.at(-1)?.parentId === 'gone' ? null : 'editor';
  if (deciding.createdBy === userId) return 'manager';
  const own = deciding.access as StoredAccess;
  const given = [
    own.everyone,
    ...own.people.filter((one) => one.userId === userId).map((one) => one.right),
  ];
  if (given.includes('manager')) return 'manager';
  if (given.includes('editor')) return 'editor';
  return given.includes('viewer') ? 'viewer' : null;
}

function untilGap(collections: readonly TreeCollection[], first: TreeCollection): TreeCollection[] {
  const above = collections.find((one) => one.id === first.parentId);
  return above ? [first, ...untilGap(collections, above)] : [first];
}

const UNLIMITED = { collections: null, tokenCollections: null };

describe('the rights in the collections of an account', () => {
  it('the right in each collection, and what is visible, are those of the rules, in any tree', () => {
    fc.assert(
      fc.property(tree, visitor, (collections, one) => {
        const rights = rightsIn(collections, one);
        const places = [ROOT, ...collections.map(({ id }) => id)];
        const expected = places.map((id) => [id, referenceRight(collections, one, id)] as const);
        expect(places.map((id) => [id, rights.of(id)])).toEqual(expected);
        const shown = expected.filter(([, found]) => found !== null).map(([id]) => id);
        const hidden = expected.filter(([, found]) => found === null).map(([id]) => id);
        expect([...rights.visible].sort()).toEqual(shown.sort());
        expect([...rights.hidden].sort()).toEqual(hidden.sort());
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('the limits of a key and of its token only take rights away', () => {
    fc.assert(
      fc.property(tree, visitor, (collections, one) => {
        const [limited, whole] = [one, { ...one, ...UNLIMITED }].map((each) =>
          rightsIn(collections, each),
        );
        for (const id of limited?.visible ?? []) expect(limited?.of(id)).toBe(whole?.of(id));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('a collection that the tree lacks has no right, not even for an owner', () => {
    const rights = rightsIn([], { userId: 'ada', role: 'owner', ...UNLIMITED });
    expect(rights.of('c1')).toBeUndefined();
    expect(rights.of(ROOT)).toBe('manager');
    expect(includesRight(rights.of('c1'), 'viewer')).toBe(false);
  });

  it('an empty list of collections is not the same as none: it opens nothing', () => {
    const [some]: TreeCollection[] = [{ id: 'c1', parentId: null, access: null, createdBy: null }];
    for (const limits of [{ collections: [] }, { tokenCollections: [] }]) {
      const owner = { userId: 'ada', role: 'owner', ...UNLIMITED, ...limits } as const;
      const rights = rightsIn(some ? [some] : [], owner);
      expect(rights.visible).toEqual([]);
      expect(rights.hidden).toEqual([ROOT, 'c1']);
    }
  });
});
