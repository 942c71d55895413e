import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { updateIndex } from './document-rows.js';
import { found } from './found-titles.js';

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

/** Creates an account with these documents, each a second newer than the previous one. */
async function accountWith(documents: Sent[]): Promise<ApiClient> {
  const { api } = await app.account();
  for (const { language, ...document } of documents) {
    const aiSettings = language === undefined ? {} : { language };
    expect((await api.createDocument({ ...document, aiSettings })).status).toBe(201);
    app.clock.advance(1000);
  }
  await updateIndex(app);
  return api;
}

describe('a search', () => {
  it('a search finds words of title and content in every form of the word, whatever the case', async () => {
    const api = await accountWith([
      { title: 'One', content: 'She runs a company.' },
      { title: 'Two', content: 'RUNNING costs' },
      { title: 'Runner', content: 'nothing else' },
      { title: 'Run', content: '' },
    ]);
    expect(await found(api, 'run')).toEqual(['One', 'Run', 'Two']);
    expect(await found(api, 'Running companies')).toEqual(['One']);
    expect(await found(api, 'walk')).toEqual([]);
  });

  it('a search requires all words, one of several with or, none with a minus, and phrases in quotes', async () => {
    const api = await accountWith([
      { title: 'A', content: 'the quick brown fox jumps' },
      { title: 'B', content: 'the brown and quick fox' },
      { title: 'C', content: 'a lazy dog of the quick' },
      { title: 'D', content: 'brown bear' },
    ]);
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

  it("a search uses the stemmer of a document's language, by code or name, and none for an unknown language", async () => {
    const api = await accountWith([
      { title: 'de', content: 'Die Häuser der Städte', language: 'de-DE' },
      { title: 'German', content: 'Das Haus', language: 'German' },
      { title: 'fr', content: 'les chevaux mangeaient', language: 'fr' },
      { title: 'en', content: 'two houses', language: 'en_GB' },
      { title: 'pl', content: 'domy running', language: 'pl' },
      { title: 'auto', content: 'three houses', language: 'auto' },
    ]);
    expect(await found(api, 'Haus')).toEqual(['German', 'de']);
    expect(await found(api, 'mangeait')).toEqual(['fr']);
    expect(await found(api, 'house')).toEqual(['auto', 'en']);
    expect(await found(api, 'running')).toEqual(['pl']);
    expect(await found(api, 'run')).toEqual([]);
    expect(await found(api, '-house')).toEqual(['German', 'de', 'fr', 'pl']);
  });

  it('a search finds any contiguous part of Chinese, Japanese, Korean and Thai text', async () => {
    const api = await accountWith([
      { title: '東京都', content: '東京都は日本の首都です。', language: 'ja' },
      { title: '研究', content: '京都の研究開発、東の空', language: 'Japanese' },
      { title: '中文', content: '全文检索：数据库的索引', language: 'zh-CN' },
      { title: '한국어', content: '검색엔진을 만듭니다', language: 'ko' },
      { title: 'ไทย', content: 'การค้นหาข้อความภาษาไทย', language: 'th' },
      { title: 'mixed', content: 'The API称为搜索API for ２０２６年' },
    ]);
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

  it('a search finds words between signs: paths, addresses, versions, markup, typographic quotes', async () => {
    const content =
      'input/output, ada@example.com; see https://example.org/docs/intro.html and v2.10.3 — “Café” <b>bold</b> snake_case state-of-the-art C++ end.Start\tcell\u00a0nbsp';
    const api = await accountWith([{ title: 'T', content }]);
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

  it('a search puts titles first, then more occurrences, then the newest, also page by page', async () => {
    const api = await accountWith([
      { title: 'apple', content: '' },
      { title: 'five', content: 'apple apple apple apple apple' },
      { title: 'once old', content: 'an apple' },
      { title: 'twice', content: 'apple or apple' },
      { title: 'once new', content: 'the apple' },
      { title: 'apple pie', content: 'apple apple' },
      { title: 'none', content: 'pear' },
    ]);
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

  it('a search finds the end of the largest document, and what occurs in it many thousand times', async () => {
    const filler = 'lorem ipsum dolor '.repeat(58_000);
    const numbers = Array.from({ length: 90_000 }, (_, index) => `n${String(index)}`).join(' ');
    const api = await accountWith([
      { title: 'Large', content: `${filler}needle` },
      { title: 'Numbers', content: numbers },
      { title: 'One word', content: 'x'.repeat(1024 * 1024) },
      { title: 'Han', content: '漢'.repeat(340_000) },
      { title: 'Signs', content: '!?'.repeat(500_000) },
    ]);
    // On a slow machine, a search may time out while they are being indexed.
    await eventually(
      async () => (await api.listDocuments({ q: 'x' })).status === 200,
      Boolean,
      60_000,
    );
    expect(await found(api, 'needle')).toEqual(['Large']);
    expect(await found(api, 'ipsum')).toEqual(['Large']);
    // Search uses the first 30,000 distinct words of a document.
    expect(await found(api, 'n29000')).toEqual(['Numbers']);
    expect(await found(api, 'n89999')).toEqual([]);
    expect(await found(api, '漢漢漢')).toEqual(['Han']);
    expect(await found(api, 'signs')).toEqual(['Signs']);
  }, 90_000);
});
