import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Sent {
  title: string;
  content?: string;
  language?: string;
}

/** An account with these documents, each a second younger than the one before; in the index or waiting for it. */
async function accountWith(documents: Sent[], indexed: boolean): Promise<ApiClient> {
  const { api, accountId } = await app.account();
  for (const { language, ...document } of documents) {
    const aiSettings = language === undefined ? {} : { language };
    expect((await api.createDocument({ ...document, aiSettings })).status).toBe(201);
    app.clock.advance(1000);
  }
  if (indexed) await updateIndex(app.dataSource, accountId);
  return api;
}

/** Titles of what is found, sorted, or in the order of the answer. */
async function found(api: ApiClient, q: string, inOrder = false): Promise<string[]> {
  const response = await api.listDocuments({ q, limit: 100 });
  const titles = (expectSuccess(response) as { title: string }[]).map(({ title }) => title);
  expect(response.body.meta.pagination.total).toBe(titles.length);
  return inOrder ? titles : titles.sort();
}

describe.each([
  ['that wait for the index', false],
  ['in the index', true],
])('a search in documents %s', (_, indexed) => {
  it('finds words of title and content in every form of the word, whatever the case', async () => {
    const api = await accountWith(
      [
        { title: 'One', content: 'She runs a company.' },
        { title: 'Two', content: 'RUNNING costs' },
        { title: 'Runner', content: 'nothing else' },
        { title: 'Run', content: '' },
      ],
      indexed,
    );
    expect(await found(api, 'run')).toEqual(['One', 'Run', 'Two']);
    expect(await found(api, 'Running companies')).toEqual(['One']);
    expect(await found(api, 'walk')).toEqual([]);
  });

  it('asks for all words, one of several with or, none with a minus, and for phrases in quotes', async () => {
    const api = await accountWith(
      [
        { title: 'A', content: 'the quick brown fox jumps' },
        { title: 'B', content: 'the brown and quick fox' },
        { title: 'C', content: 'a lazy dog of the quick' },
        { title: 'D', content: 'brown bear' },
      ],
      indexed,
    );
    const searches: [string, string[]][] = [
      ['quick fox', ['A', 'B']],
      ['fox or dog', ['A', 'B', 'C']],
      ['bear OR lazy dog', ['C', 'D']],
      ['brown -fox', ['D']],
      ['-brown', ['C']],
      ['-brown -lazy', []],
      ['"brown fox"', ['A']],
      ['"quick fox"', ['B']],
      ['"fox quick"', []],
      ['"fox jumping"', ['A']],
      ['"brown fox" or bear', ['A', 'D']],
      ['quick -"brown fox"', ['B', 'C']],
      ['"dog of the quick"', ['C']],
      ['"dog of quick"', []],
      ['"a"', []],
      ['the', []],
      ['the fox', ['A', 'B']],
      ['or', []],
      ['or fox or', ['A', 'B']],
      ['"fox', ['A', 'B']],
      ['- fox', ['A', 'B']],
    ];
    for (const [q, titles] of searches) expect([q, await found(api, q)]).toEqual([q, titles]);
  });

  it("uses the stemmer of a document's language, by code or by name, and none for one it does not know", async () => {
    const api = await accountWith(
      [
        { title: 'de', content: 'Die Häuser der Städte', language: 'de-DE' },
        { title: 'German', content: 'Das Haus', language: 'German' },
        { title: 'fr', content: 'les chevaux mangeaient', language: 'fr' },
        { title: 'en', content: 'two houses', language: 'en_GB' },
        { title: 'pl', content: 'domy running', language: 'pl' },
        { title: 'auto', content: 'three houses', language: 'auto' },
      ],
      indexed,
    );
    expect(await found(api, 'Haus')).toEqual(['German', 'de']);
    expect(await found(api, 'mangeait')).toEqual(['fr']);
    expect(await found(api, 'house')).toEqual(['auto', 'en']);
    expect(await found(api, 'running')).toEqual(['pl']);
    expect(await found(api, 'run')).toEqual([]);
    expect(await found(api, '-house')).toEqual(['German', 'de', 'fr', 'pl']);
  });

  it('finds any part of Chinese, Japanese, Korean and Thai text, and only where it stands together', async () => {
    const api = await accountWith(
      [
        { title: '東京都', content: '東京都は日本の首都です。', language: 'ja' },
        { title: '研究', content: '京都の研究開発、東の空', language: 'Japanese' },
        { title: '中文', content: '全文检索：数据库的索引', language: 'zh-CN' },
        { title: '한국어', content: '검색엔진을 만듭니다', language: 'ko' },
        { title: 'ไทย', content: 'การค้นหาข้อความภาษาไทย', language: 'th' },
        { title: 'mixed', content: 'The API称为搜索API for ２０２６年' },
      ],
      indexed,
    );
    const searches: [string, string[]][] = [
      ['京都', ['東京都', '研究']],
      ['東京都', ['東京都']],
      ['東', ['東京都', '研究']],
      ['研究開発', ['研究']],
      ['研究発開', []],
      ['全文检索', ['中文']],
      ['索引 数据库', ['中文']],
      ['検索', []],
      ['검색', ['한국어']],
      ['엔진을', ['한국어']],
      ['ข้อความ', ['ไทย']],
      ['搜索 api', ['mixed']],
      ['API称为搜索', ['mixed']],
      ['2026', ['mixed']],
      ['京都 -日本', ['研究']],
      ['"日本の首都"', ['東京都']],
    ];
    for (const [q, titles] of searches) expect([q, await found(api, q)]).toEqual([q, titles]);
  });

  it('finds words between signs: paths, addresses, versions, markup, typographic quotes', async () => {
    const content =
      'input/output, ada@example.com; see https://example.org/docs/intro.html and v2.10.3 — “Café” <b>bold</b> snake_case state-of-the-art C++ end.Start\tcell\u00a0nbsp';
    const api = await accountWith([{ title: 'T', content }], indexed);
    const words = [
      'output',
      'ada@example.com',
      'example',
      'intro',
      'v2.10.3',
      '10.3',
      'café',
      'CAFÉ',
      'bold',
      'snake',
      'snake_case',
      'state-of-the-art',
      'art',
      'c++',
      'start',
      'cell',
      'nbsp',
      'https://example.org/docs/intro.html',
    ];
    for (const q of words) expect([q, await found(api, q)]).toEqual([q, ['T']]);
    for (const q of ['outpu', 'v2.11', 'bolder']) expect([q, await found(api, q)]).toEqual([q, []]);
  });

  it('puts titles first, then more occurrences, then the newest, also page by page', async () => {
    const api = await accountWith(
      [
        { title: 'apple', content: '' },
        { title: 'five', content: 'apple apple apple apple apple' },
        { title: 'once old', content: 'an apple' },
        { title: 'twice', content: 'apple or apple' },
        { title: 'once new', content: 'the apple' },
        { title: 'apple pie', content: 'apple apple' },
        { title: 'none', content: 'pear' },
      ],
      indexed,
    );
    const order = ['apple pie', 'apple', 'five', 'twice', 'once new', 'once old'];
    expect(await found(api, 'apple', true)).toEqual(order);
    expect(await found(api, 'pear apple or apple pie', true)).toEqual(['apple pie']);
    for (const direction of ['desc', 'asc']) {
      const expected = direction === 'desc' ? order : [...order].reverse();
      const walked: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await api.listDocuments({ q: 'apple', order: direction, limit: 2, cursor });
        walked.push(...(page.body.data as { title: string }[]).map(({ title }) => title));
        cursor = page.body.meta.pagination.nextCursor as string | null;
      } while (cursor !== null);
      expect(walked).toEqual(expected);
      const second = await api.listDocuments({ q: 'apple', order: direction, limit: 2, page: 2 });
      expect((second.body.data as { title: string }[]).map(({ title }) => title)).toEqual(
        expected.slice(2, 4),
      );
    }
    const byTitle = await api.listDocuments({ q: 'apple', sort: 'title', order: 'asc', limit: 2 });
    expect((byTitle.body.data as { title: string }[]).map(({ title }) => title)).toEqual([
      'apple',
      'apple pie',
    ]);
  });

  it('finds the end of the largest document, and what is in it many thousand times', async () => {
    const filler = 'lorem ipsum dolor '.repeat(58_000);
    const numbers = Array.from({ length: 90_000 }, (_, index) => `n${String(index)}`).join(' ');
    const api = await accountWith(
      [
        { title: 'Large', content: `${filler}needle` },
        { title: 'Numbers', content: numbers },
        { title: 'One word', content: 'x'.repeat(1024 * 1024) },
        { title: 'Han', content: '漢'.repeat(340_000) },
        { title: 'Signs', content: '!?'.repeat(500_000) },
      ],
      indexed,
    );
    expect(await found(api, 'needle')).toEqual(['Large']);
    expect(await found(api, 'ipsum')).toEqual(['Large']);
    expect(await found(api, 'n89999')).toEqual(['Numbers']);
    expect(await found(api, '漢漢漢')).toEqual(['Han']);
    expect(await found(api, 'signs')).toEqual(['Signs']);
  });
});

describe('a search', () => {
  it('shows where it matched, as HTML that is safe to show', async () => {
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
    const items = async (q: string) =>
      expectSuccess(await api.listDocuments({ q })) as { title: string; highlight: string }[];
    const reports = await items('report');
    expect(reports.map(({ title }) => title)).toEqual(['A report', 'Far']);
    expect(reports[0]?.highlight).toBe('A <mark>report</mark>');
    expect(reports[1]?.highlight).toContain(
      'the &lt;<mark>b&gt;Reports&lt;/b</mark>&gt; &amp; &quot;<mark>reporting</mark>&quot; word',
    );
    expect(reports[1]?.highlight.length).toBeLessThan(500);
    expect((await items('首都'))[0]?.highlight).toBe('日本の<mark>首都</mark>は東京都です。');
    expect((await items('Haus'))[0]?.highlight).toBe('Drei <mark>Häuser</mark>.');
    // Many words begin like the one that is looked for.
    await api.createDocument({
      title: 'Team',
      content: `${'tell '.repeat(100)} the 100%_team tells`,
    });
    expect((await items('team'))[0]?.highlight).toContain(' the <mark>100%_team</mark> ');
    const plain = expectSuccess(await api.listDocuments()) as object[];
    expect(plain.every((item) => !('highlight' in item))).toBe(true);
  });

  it('sees a document as soon as its creation is answered, and its change, and not what was deleted', async () => {
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
      expect(await found(api, 'changed')).toEqual([]);
      const trash = await api.listDocuments({ q: 'changed', deleted: true });
      expect(trash.body.data).toHaveLength(round + 1);
      expect((trash.body.data as object[])[0]).toHaveProperty('deletedAt');
    }
  });

  it('sees hundreds of documents that were just created', async () => {
    const { api } = await app.account();
    await Promise.all(
      Array.from({ length: 250 }, (_, index) =>
        api.createDocument({ title: `Document ${String(index)}`, content: 'common words' }),
      ),
    );
    const page = await api.listDocuments({ q: 'common', limit: 1 });
    expect(page.body.meta.pagination.total).toBe(250);
    expect(await found(api, 'document 249')).toEqual(['Document 249']);
  });

  it('knows the documents of its own account only', async () => {
    const [mine, theirs] = [await app.account(), await app.account()];
    await theirs.api.createDocument({ title: 'secret', metadata: { tags: ['hidden'] } });
    await updateIndex(app.dataSource, theirs.accountId);
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
  ])('answers %j without failing', async (q) => {
    const { api } = await app.account();
    const title = `It has ${q}`.slice(0, 400).toWellFormed();
    expectSuccess(await api.createDocument({ title }), 201);
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
  ])('refuses %s and names the parameter', async (_, query) => {
    const { api } = await app.account();
    for (const path of ['/v1/documents', '/v1/documents/facets']) {
      const response = await api.send('GET', `${path}?${query}`);
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(response.body.error.details.field).toBe('q');
    }
  });

  it('is needed to sort by relevance', async () => {
    const { api } = await app.account();
    const response = await api.listDocuments({ sort: 'relevance' });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details).toMatchObject({ field: 'sort' });
    expectSuccess(await api.listDocuments({ sort: 'relevance', q: 'x' }));
  });

  it('keeps cursors to the search they came from', async () => {
    const { api } = await app.account();
    for (const title of ['alpha one', 'alpha two', 'beta']) await api.createDocument({ title });
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
      '0001 2026-02-31T00:00:00.000Z',
      'x',
      '0001',
      7,
      '99999 2026-01-01T00:00:00.000Z',
    ]) {
      const parts = ['relevance', 'desc', key, id];
      const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
      expectFailure(await api.listDocuments({ q: 'alpha', cursor }), 400, 'INVALID_REQUEST');
    }
  });
});
