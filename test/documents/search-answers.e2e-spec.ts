import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';
import { found as foundNow } from './found-titles.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Returns the titles of the results once the index is up to date. */
async function found(...asked: Parameters<typeof foundNow>): Promise<string[]> {
  await updateIndex(app);
  return foundNow(...asked);
}

describe('a search', () => {
  it('a search shows where it matched, as safe HTML', async () => {
    const { api } = await app.account();
    const filler = 'word '.repeat(200);
    await api.createDocument({
      title: 'Far',
      content: `${filler}the <b>Reports</b> & "reporting" ${filler}`,
    });
    await api.createDocument({ title: 'A report', content: 'nothing here' });
    await api.createDocument({ title: '東京', content: '日本の首都は東京都です。' });
    await api.createDocument({
      title: 'Am See',
      content: 'Drei Häuser.',
      aiSettings: { language: 'de' },
    });
    const items = async (q: string) => {
      await updateIndex(app);
      return expectSuccess(await api.listDocuments({ q })) as {
        title: string;
        highlight: string;
      }[];
    };
    const reports = await items('report');
    expect(reports.map(({ title }) => title)).toEqual(['A report', 'Far']);
    expect(reports[0]?.highlight).toBe('A <mark>report</mark>');
    expect(reports[1]?.highlight).toContain(
      'the &lt;<mark>b&gt;Reports&lt;/b</mark>&gt; &amp; &quot;<mark>reporting</mark>&quot; word',
    );
    expect(reports[1]?.highlight.length).toBeLessThan(500);
    expect((await items('首都'))[0]?.highlight).toBe('日本の<mark>首都</mark>は東京都です。');
    expect((await items('Haus'))[0]?.highlight).toBe('Drei <mark>Häuser</mark>.');
    // Many words start like the one in the query.
    await api.createDocument({
      title: 'Team',
      content: `${'tell '.repeat(100)} the 100%_team tells`,
    });
    expect((await items('team'))[0]?.highlight).toContain(' the <mark>100%_team</mark> ');
    const plain = expectSuccess(await api.listDocuments()) as object[];
    expect(plain.every((item) => !('highlight' in item))).toBe(true);
  });

  it.each([
    ['übersicht', '<mark>ÜBERSICHT</mark> der Kosten'],
    ['привет', '<mark>Привет</mark>, мир'],
    ['αθηνα', 'Στην <mark>ΑΘΗΝΑ</mark>'],
    ['հայերեն', '<mark>Հայերեն</mark> լեզու'],
  ])('a search shows %j in title and content, in any capitalization', async (q, html) => {
    const { api } = await app.account();
    const text = html.replaceAll(/<.*?>/g, '');
    await api.createDocument({ title: text });
    await api.createDocument({ title: 'content', content: text });
    await updateIndex(app);
    const items = expectSuccess(await api.listDocuments({ q })) as { highlight: string }[];
    expect(items.map(({ highlight }) => highlight)).toEqual([html, html]);
  });

  it.each([
    ['the last of many alternatives', 'a1 or b1 or c1 or d1 or e1 or f1 or g1 or h1 or tango'],
    ['a word that must not be there', 'absent or -lima'],
  ])('a search finds what matches by %s', async (_, q) => {
    const { api } = await app.account();
    await api.createDocument({ title: 'lima' });
    await api.createDocument({ title: 'tango' });
    expect(await found(api, q)).toEqual(['tango']);
  });

  it('a search finds and ranks documents of every language of an account', async () => {
    const { api } = await app.account();
    const languages = ['ar', 'da', 'nl', 'en', 'fi', 'fr', 'de', 'el', 'es', 'tr'];
    for (const language of languages) {
      const aiSettings = { language };
      await api.createDocument({ title: 'kilo', content: 'tango tango', aiSettings });
      await api.createDocument({ title: language, content: 'kilo', aiSettings });
    }
    const titles = await found(api, 'kilo', true);
    expect(titles.slice(0, 10)).toEqual(Array(10).fill('kilo'));
    expect(titles.slice(10)).toEqual(languages.reverse());
  });

  it('a search includes new documents and their changes, and never shows deleted ones', async () => {
    const { api } = await app.account();
    for (let round = 0; round < 3; round += 1) {
      const word = `unique${String(round)}`;
      const { id } = expectSuccess(await api.createDocument({ title: word }), 201) as {
        id: string;
      };
      expect(await found(api, word)).toEqual([word]);
      await api.patchDocument(id, { title: 'changed' });
      expect(await found(api, word)).toEqual([]);
      await api.deleteDocument(id);
      expect(await foundNow(api, 'changed')).toEqual([]);
      const trash = await api.listDocuments({ q: 'changed', deleted: true });
      expect(trash.body.data).toHaveLength(round + 1);
      expect((trash.body.data as object[])[0]).toHaveProperty('deletedAt');
    }
  });

  it('a search finds hundreds of documents that were just created', async () => {
    const { api } = await app.account();
    await Promise.all(
      Array.from({ length: 250 }, (_, index) =>
        api.createDocument({ title: `Document ${String(index)}`, content: 'common words' }),
      ),
    );
    await updateIndex(app);
    const page = await api.listDocuments({ q: 'common', limit: 1 });
    expect(page.body.meta.pagination.total).toBe(250);
    expect(await found(api, 'document 249')).toEqual(['Document 249']);
  });

  it('a search finds only documents of its own account', async () => {
    const [mine, theirs] = [await app.account(), await app.account()];
    await theirs.api.createDocument({ title: 'secret', metadata: { tags: ['hidden'] } });
    await updateIndex(app);
    await theirs.api.createDocument({ title: 'secret too', metadata: { tags: ['hidden'] } });
    expect(await found(mine.api, 'secret')).toEqual([]);
    expect((await mine.api.listDocuments({ tag: 'hidden' })).body.data).toEqual([]);
    const facets = expectSuccess(await mine.api.send('GET', '/v1/documents/facets'));
    expect(facets).toEqual({ type: [], status: [], tag: [], department: [], project: [] });
    expect(await found(theirs.api, 'secret')).toEqual(['secret', 'secret too']);
  });

  it.each([
    "' OR 1=1 --",
    '"; DROP TABLE documents; --',
    '\\',
    '\\"',
    '"""',
    '"',
    '-',
    '--',
    '-"',
    '-""',
    '""',
    ':*',
    'a:*',
    '& | ! <->',
    '!!!',
    '(((',
    'a & (b',
    '<2>',
    '*',
    '%',
    '_',
    '$1',
    '{"a":1}',
    '😀',
    '👨‍👩‍👧‍👦 🇩🇪',
    'é̂̂̂',
    '\u202eabc',
    '\ufeffx',
    '\u200b',
    'İstanbul ſ ß ŉ',
    '東',
    '\t\n x',
    'or or or',
    'x'.repeat(500),
    'ab '.repeat(50).trim(),
    '漢'.repeat(500),
  ])('a search handles %j without failing', async (q) => {
    const { api } = await app.account();
    const title = `It has ${q}`.slice(0, 400).toWellFormed();
    expectSuccess(await api.createDocument({ title }), 201);
    await updateIndex(app);
    const response = await api.listDocuments({ q });
    expectSuccess(response);
    expectSuccess(await api.list('/v1/documents/facets', { q }));
  });

  it.each([
    ['nothing', 'q='],
    ['white space', 'q=%20%09'],
    ['more than 500 characters', `q=${'x'.repeat(501)}`],
    ['more than 50 words', `q=${'x+'.repeat(51)}`],
    ['U+0000', 'q=a%00b'],
    ['two searches', 'q=a&q=b'],
  ])('a search refuses %s and names the parameter', async (_, query) => {
    const { api } = await app.account();
    for (const path of ['/v1/documents', '/v1/documents/facets']) {
      const response = await api.send('GET', `${path}?${query}`);
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(response.body.error.details.field).toBe('q');
    }
  });

  it('a search is required to sort by relevance', async () => {
    const { api } = await app.account();
    const response = await api.listDocuments({ sort: 'relevance' });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details).toMatchObject({ field: 'sort' });
    expectSuccess(await api.listDocuments({ sort: 'relevance', q: 'x' }));
  });

  it('a search restricts cursors to their own search', async () => {
    const { api } = await app.account();
    for (const title of ['alpha one', 'alpha two', 'beta']) await api.createDocument({ title });
    await updateIndex(app);
    const first = await api.listDocuments({ q: 'alpha', limit: 1 });
    const { nextCursor } = first.body.meta.pagination as { nextCursor: string };
    expectSuccess(await api.listDocuments({ q: 'alpha', limit: 2, cursor: nextCursor }));
    for (const query of [{ q: 'beta' }, { q: 'alpha', type: 'report' }, {}]) {
      const sort = 'q' in query ? 'relevance' : 'created_at';
      const response = await api.listDocuments({ ...query, sort, cursor: nextCursor });
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(response.body.error.details.field).toBe('cursor');
    }
    const id = '01a1fc56-4138-7ee6-9c5a-97ced2014165';
    for (const key of [
      '00000001 2026-02-31T00:00:00.000Z',
      'x',
      '00000001',
      7,
      '999999999 2026-01-01T00:00:00.000Z',
    ]) {
      const parts = ['relevance', 'desc', key, id];
      const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
      expectFailure(await api.listDocuments({ q: 'alpha', cursor }), 400, 'INVALID_REQUEST');
    }
  });
});
