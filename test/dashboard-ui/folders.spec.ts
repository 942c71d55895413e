import type { Collection } from '../../packages/dashboard/src/api/collections.js';
import {
  decidingFolder,
  foldersOf,
  foundRows,
  hasRight,
  pathName,
  readersAfter,
  shownRows,
  whyNotInto,
  whyNotMove,
} from '../../packages/dashboard/src/pages/folders/folders.js';
import { ableTo } from '../../packages/dashboard/src/pages/folders/rights.js';
import { ROLE_SCOPES } from '../../src/features/auth/roles.js';

const collection = (
  id: string,
  parentId: string | null = null,
  more: Partial<Collection> = {},
): Collection => ({
  id,
  name: id,
  parentId,
  right: 'editor',
  isRestricted: false,
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  documentCount: 1,
  ...more,
});

/** hr (restricted) > pay; notes > old > older; view (view only). */
const TREE = foldersOf([
  collection('pay', 'hr'),
  collection('old', 'notes'),
  collection('older', 'old'),
  collection('notes'),
  collection('hr', null, { isRestricted: true }),
  collection('view', null, { right: 'viewer' }),
]);

describe('The tree of folders', () => {
  it('a folder counts the documents of those in it, and siblings are sorted by name as people sort', () => {
    expect(TREE.byId.get('notes')).toMatchObject({ total: 3, level: 1 });
    expect(TREE.byId.get('older')).toMatchObject({ total: 1, level: 3 });
    const numbers = foldersOf(['10', '9', 'b', 'A'].map((name) => collection(name)));
    expect(numbers.top.map(({ name }) => name)).toEqual(['9', '10', 'A', 'b']);
  });

  it('a folder whose parent is hidden is at the top of the tree', () => {
    const { top } = foldersOf([collection('child', 'hidden')]);
    expect(top.map(({ id, level }) => [id, level])).toEqual([['child', 1]]);
  });

  it('only the folders in open ones are rows of the tree, with their place among their siblings', () => {
    const ids = (open: string[]) => shownRows(TREE, new Set(open)).map(({ folder }) => folder.id);
    expect(ids([])).toEqual(['hr', 'notes', 'view']);
    // A folder in a closed one stays hidden.
    expect(ids(['old'])).toEqual(['hr', 'notes', 'view']);
    expect(ids(['notes', 'old'])).toEqual(['hr', 'notes', 'old', 'older', 'view']);
    expect(shownRows(TREE, new Set())[1]).toMatchObject({ position: 2, size: 3 });
    expect(foundRows(TREE, ' OLD').map(({ folder }) => folder.id)).toEqual(['old', 'older']);
    expect(pathName(TREE, 'older')).toBe('notes / old / older');
    expect(pathName(TREE, 'unknown')).toBe('');
  });

  it('1,000 folders become rows in a moment', () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      collection(`c${String(index)}`, index < 10 ? null : `c${String(index % 10)}`),
    );
    const folders = foldersOf(many);
    expect(shownRows(folders, new Set(many.map(({ id }) => id)))).toHaveLength(1_000);
  });
});

describe('Moves in the tree of folders', () => {
  it('a folder cannot be moved into itself, into one below it, to where it is, or too deep', () => {
    expect(whyNotMove(TREE, 'notes', 'older')).toMatch(/into itself/);
    expect(whyNotMove(TREE, 'notes', 'notes')).toMatch(/into itself/);
    expect(whyNotMove(TREE, 'old', 'notes')).toMatch(/already here/);
    expect(whyNotMove(TREE, 'old', null)).toBeUndefined();
    expect(whyNotMove(TREE, 'old', 'hr')).toBeUndefined();
    const chain = Array.from({ length: 7 }, (_, index) =>
      collection(`l${String(index)}`, index === 0 ? null : `l${String(index - 1)}`),
    );
    const deep = foldersOf([...chain, collection('a'), collection('b', 'a')]);
    expect(whyNotMove(deep, 'a', 'l6')).toMatch(/at most 8 levels/);
    expect(whyNotMove(deep, 'b', 'l6')).toBeUndefined();
  });

  it('nothing is moved into or out of a folder that the person can only view', () => {
    expect(whyNotInto(TREE, 'view')).toBe('You can only view “view”.');
    expect(whyNotMove(TREE, 'old', 'view')).toBe('You can only view “view”.');
    expect(whyNotMove(TREE, 'view', 'notes')).toBe('You can only view “view”.');
    expect(whyNotInto(TREE, null)).toBeUndefined();
    expect(whyNotInto(TREE, 'gone')).toMatch(/no longer exists/);
    expect(hasRight(TREE.byId.get('view'), 'editor')).toBe(false);
  });

  it('a move says who can open it there, unless the same access decides', () => {
    const after = (from: string | null, to: string | null) =>
      readersAfter(TREE, { from: [from], to, accountName: 'Acme', what: 'it' });
    expect(after(null, 'older')).toBeUndefined();
    expect(after('hr', 'pay')).toBeUndefined();
    expect(after('pay', 'notes')).toBe('Everyone in Acme can read it there.');
    expect(after('notes', 'pay')).toBe('Only people who can open “hr” can read it there.');
    // The access of a deleted folder is unknown.
    expect(after('deleted', 'notes')).toBe('Everyone in Acme can read it there.');
    expect(decidingFolder(TREE, 'pay')?.id).toBe('hr');
    expect(decidingFolder(TREE, 'old')).toBeUndefined();
  });
});

describe('The words for a right', () => {
  it('the words for a right say what the role of the person leaves of it', () => {
    const roles = {
      owner: [...ROLE_SCOPES.owner],
      admin: [...ROLE_SCOPES.admin],
      member: [...ROLE_SCOPES.member],
      viewer: [...ROLE_SCOPES.viewer],
    };
    expect(ableTo('viewer', 'member', roles)).toBe('Can suggest');
    expect(ableTo('editor', 'member', roles)).toBe('Can edit');
    expect(ableTo('manager', 'member', roles)).toBe('Can manage');
    expect(ableTo('manager', 'viewer', roles)).toBe('Can suggest');
    expect(ableTo('viewer', undefined, roles)).toBe('Can view');
  });
});
