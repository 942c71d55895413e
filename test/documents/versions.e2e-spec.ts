import { applyPatch } from 'diff';
import fc from 'fast-check';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface VersionData {
  number: number;
  title: string;
  content: string;
  changes: string[];
  metadata: Record<string, unknown>;
  createdAt: string;
}

const version = async (api: ApiClient, id: string, number: number) =>
  expectSuccess(
    await api.send('GET', `/v1/documents/${id}/versions/${String(number)}`),
  ) as VersionData;

async function created(api: ApiClient, body: object): Promise<string> {
  return (expectSuccess(await api.createDocument(body), 201) as { id: string }).id;
}

describe('The versions of a document', () => {
  it('The versions of a document are listed newest first with author, time and changes', async () => {
    const { api, user } = await app.account();
    const id = await created(api, { title: 'One', content: 'a' });
    const first = app.clock.now().toISOString();
    app.clock.advance(1_000);
    await api.patchDocument(id, { title: 'Two', content: 'b' });
    await api.patchDocument(id, { status: 'published' });
    const response = await api.list(`/v1/documents/${id}/versions`, {});
    const versions = expectSuccess(response) as VersionData[];
    expect(versions.map(({ number, changes }) => [number, changes])).toEqual([
      [3, ['status']],
      [2, ['title', 'content']],
      [1, []],
    ]);
    expect(versions[2]).toMatchObject({ title: 'One', createdAt: first, author: { id: user.id } });
    expect(response.body.meta.pagination).toMatchObject({ total: 3, pages: 1, hasMore: false });
  });

  it('The versions of a document can be paged by number and by cursor in both directions', async () => {
    const { api } = await app.account();
    const id = await created(api, { title: '1' });
    for (let n = 2; n <= 7; n += 1) await api.patchDocument(id, { title: String(n) });
    for (const order of ['asc', 'desc'] as const) {
      const expected = [1, 2, 3, 4, 5, 6, 7];
      if (order === 'desc') expected.reverse();
      const byPage: number[] = [];
      for (let page = 1; page <= 4; page += 1) {
        const { body } = await api.list(`/v1/documents/${id}/versions`, {
          sort: 'created_at',
          order,
          limit: 2,
          page,
        });
        byPage.push(...(body.data as VersionData[]).map(({ number }) => number));
      }
      expect(byPage).toEqual(expected);
      const byCursor: number[] = [];
      let cursor: string | null | undefined;
      do {
        const { body } = await api.list(`/v1/documents/${id}/versions`, {
          order,
          limit: 3,
          cursor,
        });
        byCursor.push(...(body.data as VersionData[]).map(({ number }) => number));
        cursor = body.meta.pagination.nextCursor as string | null;
      } while (cursor);
      expect(byCursor).toEqual(expected);
    }
  });

  it('each return the document as it was, whatever was written', async () => {
    const { api } = await app.account();
    const id = await created(api, { title: 'T', content: 'start\n'.repeat(50) });
    const written = ['start\n'.repeat(50)];
    const text = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .filter((s) => s.isWellFormed() && !s.includes('\0'));
    const changes = fc.sample(fc.tuple(fc.nat(), fc.nat(20), text), { numRuns: 60, seed: 11 });
    for (const [at, cut, inserted] of changes) {
      const before = Array.from(written.at(-1) ?? '');
      const place = at % (before.length + 1);
      const after = before.slice(0, place).join('') + inserted + before.slice(place + cut).join('');
      if (after === written.at(-1)) continue;
      expectSuccess(await api.patchDocument(id, { content: after }));
      written.push(after);
    }
    for (const [index, content] of written.entries()) {
      expect((await version(api, id, index + 1)).content).toBe(content);
    }
  });

  it('The versions of a document preserve metadata byte for byte, whether or not it changed with them', async () => {
    const { api } = await app.account();
    const made = await api.send('POST', '/v1/documents', {
      rawBody: '{"title":"M","metadata":{"z":1.0,"a":2},"aiSettings":{"level":1e1}}',
    });
    const { id } = expectSuccess(made, 201) as { id: string };
    await api.patchDocument(id, { title: 'N' });
    await api.patchDocument(id, { metadata: { b: 3 } });
    await api.patchDocument(id, { content: 'x' });
    await api.patchDocument(id, { metadata: null, aiSettings: { level: null } });
    const metadataOf = async (number: number) => {
      const { text } = await api.send('GET', `/v1/documents/${id}/versions/${String(number)}`);
      return /"metadata":(\{.*?\}),"aiSettings":(\{.*?\})/.exec(text)?.slice(1);
    };
    const all = [
      await metadataOf(1),
      await metadataOf(2),
      await metadataOf(3),
      await metadataOf(4),
    ];
    const [first, merged] = ['{"z":1.0,"a":2}', '{"z":1.0,"a":2,"b":3}'];
    expect(all).toEqual([first, first, merged, merged].map((text) => [text, '{"level":1e1}']));
    expect(await metadataOf(5)).toEqual(['{}', '{}']);
  });

  it('The versions of a document are unknown beyond the last, for other accounts, and for a deleted document', async () => {
    const [mine, other] = [await app.account(), await app.account()];
    const id = await created(mine.api, { title: 'T' });
    const path = (number: string) => `/v1/documents/${id}/versions/${number}`;
    for (const number of ['0', '2', '-1', '1.0', 'x', '99999999999']) {
      expectFailure(await mine.api.send('GET', path(number)), 404, 'NOT_FOUND');
    }
    expectFailure(await other.api.send('GET', path('1')), 404, 'NOT_FOUND');
    expectFailure(await other.api.send('POST', `${path('1')}/restore`), 404, 'NOT_FOUND');
    await mine.api.deleteDocument(id);
    expectFailure(await mine.api.send('GET', path('1')), 404, 'NOT_FOUND');
    expectFailure(await mine.api.list(`/v1/documents/${id}/versions`, {}), 404, 'NOT_FOUND');
  });
});

it('Restoring a version makes it the newest one and leaves the status', async () => {
  const { api } = await app.account();
  const id = await created(api, { title: 'Old', content: 'x', metadata: { a: 1 } });
  await api.patchDocument(id, { title: 'New', content: 'y', metadata: { a: null, b: 2 } });
  await api.patchDocument(id, { status: 'in_review' });
  const path = `/v1/documents/${id}/versions/1/restore`;
  const stale = await api.send('POST', path, { headers: { 'If-Match': '"2"' } });
  expectFailure(stale, 412, 'INVALID_REQUEST');
  const restored = expectSuccess(await api.send('POST', path));
  expect(restored).toMatchObject({
    title: 'Old',
    content: 'x',
    metadata: { a: 1 },
    status: 'in_review',
    version: 4,
  });
  expect((await version(api, id, 4)).changes).toEqual(['title', 'content', 'metadata']);
  const again = expectSuccess(await api.send('POST', path)) as { version: number };
  expect(again.version).toBe(4);
});

it('The diff of two versions is a patch that turns one content into the other, with changed words and members', async () => {
  const { api } = await app.account();
  const [one, two] = ['a\nRevenue grew by 12 %.\nc\n', 'a\nRevenue grew by 13 %.\nc\nd'];
  const id = await created(api, { title: 'T', content: one, metadata: { keep: 1, old: 1.0 } });
  await api.patchDocument(id, { content: two, metadata: { old: null, new: [2] } });
  const path = `/v1/documents/${id}/versions/2/diff`;
  const diff = expectSuccess(await api.send('GET', path)) as {
    content: { unified: string; hunks: { segments: { type: string; text: string }[] }[] };
  };
  expect(diff).toMatchObject({
    from: 1,
    to: 2,
    metadata: { added: { new: [2] }, removed: { old: 1 }, changed: {} },
  });
  expect(applyPatch(one, diff.content.unified)).toBe(two);
  const segments = diff.content.hunks.flatMap((hunk) => hunk.segments);
  expect(segments).toContainEqual({ type: 'removed', text: '12' });
  expect(segments).toContainEqual({ type: 'added', text: '13' });
  const back = await api.send('GET', `/v1/documents/${id}/versions/1/diff?against=2`);
  const unified = (expectSuccess(back) as typeof diff).content.unified;
  expect(applyPatch(two, unified)).toBe(one);
  expectFailure(await api.send('GET', `${path}?against=9`), 404, 'NOT_FOUND');
  expectFailure(await api.send('GET', `${path}?against=x`), 400, 'INVALID_REQUEST');
});
