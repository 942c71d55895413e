import fc from 'fast-check';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillDocuments } from '../support/fill.js';
import { walkCursors, walkPages, type Listed } from './walk.js';
import { propertyRuns } from '../support/property-runs.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function accountWith(titles: string[]): Promise<ApiClient> {
  const { api } = await app.account();
  for (const [index, title] of titles.entries()) {
    const created = await api.createDocument({ title, content: 'word '.repeat(index % 4) });
    expect(created.status).toBe(201);
    if (index % 3 === 2) app.clock.advance(1000);
  }
  return api;
}

describe('listing documents', () => {
  it('listing documents returns the newest 20 first, without contents, with an excerpt and the exact totals', async () => {
    const api = await accountWith(
      Array.from({ length: 45 }, (_, index) => `Title ${String(index)}`),
    );
    const response = await api.listDocuments();
    const items = expectSuccess(response) as Listed[];
    expect(items).toHaveLength(20);
    expect(items[0]).toMatchObject({ title: 'Title 44', excerpt: '' });
    expect(items[0]).not.toHaveProperty('content');
    expect(response.body.meta.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 45,
      pages: 3,
      hasMore: true,
      nextCursor: expect.any(String) as string,
    });
    const last = await api.listDocuments({ page: 3 });
    expect(last.body.data).toHaveLength(5);
    expect(last.body.meta.pagination).toMatchObject({ page: 3, hasMore: false, nextCursor: null });
  });

  it('listing documents returns 200 without items for an empty list, and for a page past the end', async () => {
    const { api } = await app.account();
    const empty = await api.listDocuments();
    expect(empty.body.data).toEqual([]);
    expect(empty.body.meta.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 0,
      pages: 0,
      hasMore: false,
      nextCursor: null,
    });
    await api.createDocument({ title: 'one' });
    for (const page of [2, 1_000_000, 999_999_999_999_999]) {
      const past = await api.listDocuments({ page });
      expect(past.status).toBe(200);
      expect(past.body.data).toEqual([]);
      expect(past.body.meta.pagination).toMatchObject({ page, total: 1, pages: 1, hasMore: false });
    }
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'page=1&page=2',
    'limit=0',
    'limit=101',
    'limit=1e1',
    'sort=content',
    'order=up',
    'cursor=abc',
    'include=all',
    'offset=3',
  ])('listing documents refuses %s and names the parameter', async (query) => {
    const { api } = await app.account();
    const response = await api.send('GET', `/v1/documents?${query}`);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.field).toBe(query.split('=')[0]);
  });

  it('listing documents adds contents on request while the page stays under 8 MiB', async () => {
    const { api, ...account } = await app.account();
    await fillDocuments(app.dataSource, account, 9, { content: "repeat('x', 1024 * 1024)" });
    const fits = await api.listDocuments({ include: 'content', limit: 8 });
    expect((fits.body.data as { content: string }[]).map(({ content }) => content.length)).toEqual(
      Array.from({ length: 8 }, () => 1024 * 1024),
    );
    const tooLarge = await api.listDocuments({ include: 'content', limit: 9 });
    expectFailure(tooLarge, 400, 'INVALID_REQUEST');
    expect(tooLarge.body.error.details).toMatchObject({ field: 'include' });
    expect(tooLarge.body.error.message).toContain('lower limit');
  });

  it('listing documents gives the same sequence by page and by cursor as sorting in memory, for every sort and order', async () => {
    const titles = [
      'b',
      'a',
      'B',
      'é',
      'a',
      '10',
      '9',
      '😀',
      '￿',
      ' ',
      'aa',
      'a',
      'Z',
      'z',
      '-',
    ].map((title) => (title === ' ' ? ' x' : title));
    const api = await accountWith(titles);
    const everything = (await api.listDocuments({ limit: 100 })).body.data as Listed[];
    const model: Record<string, (one: Listed, other: Listed) => number> = {
      created_at: (one, other) => compare(one.createdAt, other.createdAt),
      updated_at: (one, other) => compare(one.updatedAt, other.updatedAt),
      title: (one, other) => Buffer.compare(Buffer.from(one.title), Buffer.from(other.title)),
      word_count: (one, other) => one.wordCount - other.wordCount,
    };
    for (const [sort, by] of Object.entries(model)) {
      for (const order of ['asc', 'desc']) {
        const sign = order === 'asc' ? 1 : -1;
        const expected = [...everything]
          .sort((one, other) => sign * (by(one, other) || compare(one.id, other.id)))
          .map(({ id }) => id);
        // With a last page that is full, and one that is not.
        for (const limit of [4, 15]) {
          expect(await walkPages(api, { sort, order, limit })).toEqual(expected);
          expect(await walkCursors(api, { sort, order, limit })).toEqual(expected);
        }
      }
    }
  });

  it('listing documents keeps cursor pages free of duplicates and gaps while others insert', async () => {
    const api = await accountWith(
      Array.from({ length: 30 }, (_, index) => `Before ${String(index)}`),
    );
    const before = await walkPages(api, { sort: 'created_at', order: 'desc', limit: 100 });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.listDocuments({ limit: 4, cursor });
      seen.push(...(page.body.data as Listed[]).map(({ id }) => id));
      cursor = (page.body.meta.pagination.nextCursor as string | null) ?? undefined;
      await api.createDocument({ title: 'Meanwhile' });
    } while (cursor !== undefined);
    expect(seen).toEqual(before);
  });

  it('listing documents refuses a cursor of another order or list and a malformed one, and never fails on an invented one', async () => {
    const api = await accountWith(['a', 'b', 'c']);
    const { nextCursor } = (await api.listDocuments({ limit: 1, sort: 'title' })).body.meta
      .pagination as {
      nextCursor: string;
    };
    for (const query of [
      { cursor: nextCursor },
      { cursor: nextCursor, sort: 'title', order: 'asc' },
      { cursor: nextCursor, sort: 'title', page: 2 },
    ]) {
      expectFailure(await api.listDocuments(query), 400, 'INVALID_REQUEST');
    }
    for (const key of [
      '2026-02-31T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '9999-99-99T00:00:00.000Z',
    ]) {
      const forged = ['created_at', 'desc', key, '01a1fc56-4138-7ee6-9c5a-97ced2014165'];
      const cursor = Buffer.from(JSON.stringify(forged)).toString('base64url');
      expectFailure(await api.listDocuments({ cursor }), 400, 'INVALID_REQUEST');
    }
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => Buffer.from(json).toString('base64url')),
          fc
            .tuple(
              fc.constantFrom('created_at', 'title'),
              fc.constantFrom('asc', 'desc'),
              fc.oneof(fc.string(), fc.integer(), fc.date().map(String)),
              fc.oneof(fc.uuid(), fc.string()),
            )
            .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
        ),
        async (cursor) => {
          const { status } = await api.listDocuments({ cursor, sort: 'title' });
          expect([200, 400]).toContain(status);
        },
      ),
      { numRuns: propertyRuns(100) },
    );
  });

  it('listing documents shows no document of another account in list or total', async () => {
    const api = await accountWith(['mine']);
    await accountWith(['theirs', 'theirs too']);
    const response = await api.listDocuments();
    expect((response.body.data as Listed[]).map(({ title }) => title)).toEqual(['mine']);
    expect(response.body.meta.pagination.total).toBe(1);
  });

  it('listing documents counts exactly under concurrent creations', async () => {
    const { api } = await app.account();
    await Promise.all(
      Array.from({ length: 150 }, () => api.createDocument({ title: 'Many at once' })),
    );
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(150);
  });
});

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
