import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { drillCases } from '../support/drills.js';
import { updateIndex } from './document-rows.js';
import { found } from './found-titles.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Creates an account with one document for each text, titled with its number. */
async function accountWith(texts: readonly string[], language?: string): Promise<ApiClient> {
  const { api } = await app.account();
  const aiSettings = language === undefined ? {} : { language };
  const operations = texts.map((content, n) => ({
    op: 'create',
    document: { title: String(n), content, aiSettings },
  }));
  expectSuccess(await api.batchDocuments({ operations, atomic: true }));
  await updateIndex(app);
  return api;
}

async function highlightOf(api: ApiClient, q: string): Promise<string | null | undefined> {
  const [item] = expectSuccess(await api.listDocuments({ q })) as { highlight: string | null }[];
  return item?.highlight;
}

/** Spellings by language (English if undefined). Each text must be found by the words of the others. */
const SPELLINGS: [language: string | undefined, spellings: string[]][] = [
  [undefined, ['café', 'CAFÉ', 'cafe', 'Cafe', 'cafe\u0301']],
  [undefined, ['résumé', 'Résumé', 'resume', 'RESUME', 're\u0301sume\u0301']],
  [undefined, ['naïve', 'naive', 'NAÏVE']],
  [undefined, ['Straße', 'strasse', 'STRASSE']],
  [undefined, ['Ærø', 'aero']],
  [undefined, ['Müller', 'Muller', 'MÜLLER']],
  [undefined, ['Müller', 'Mueller']],
  ['de', ['Häuser', 'hauser', 'Haeuser', 'HÄUSER', 'ha\u0308user']],
  ['fr', ['élève', 'eleve', 'ÉLÈVE']],
  ['fr', ['forêts', 'forets']],
  ['es', ['canción', 'cancion', 'CANCIÓN']],
  ['es', ['educación', 'educacion']],
  ['pt', ['informação', 'informacao', 'INFORMAÇÃO']],
  ['it', ['città', 'citta']],
  ['cs', ['žluťoučký', 'zlutoucky', 'ŽLUŤOUČKÝ']],
  ['pl', ['Łódź', 'lodz', 'łódź', 'LODZ']],
  ['tr', ['ışık', 'isik', 'IŞIK', 'Işık']],
  ['tr', ['İstanbul', 'istanbul', 'ISTANBUL']],
  ['vi', ['Việt', 'viet', 'VIỆT', 'Vie\u0323\u0302t']],
  ['vi', ['đường', 'duong', 'ĐƯỜNG']],
  ['sv', ['smörgås', 'smorgas']],
  ['da', ['rødgrød', 'rodgrod']],
  ['ro', ['mașină', 'masina']],
  ['hu', ['tükörfúró', 'tukorfuro']],
  ['el', ['Αθήνα', 'αθηνα', 'ΑΘΗΝΑ']],
  ['el', ['οδός', 'ΟΔΟΣ', 'οδοσ']],
  ['ru', ['ёлка', 'елка', 'ЁЛКА', 'е\u0308лка']],
  ['ru', ['замок', 'за\u0301мок']],
  ['he', ['שָׁלוֹם', 'שלום']],
  ['ar', ['مُحَمَّد', 'محمد', 'محـــمد']],
];

describe('a search', () => {
  it.each(SPELLINGS)('(%s) finds each of %j with each', async (language, spellings) => {
    const texts = spellings.map((spelling) => `un ${spelling}, alpha`);
    const api = await accountWith([...texts, 'alpha other'], language);
    const all = spellings.map((_spelling, n) => String(n));
    for (const q of spellings) {
      expect([q, await found(api, q)]).toEqual([q, all]);
      expect([q, await found(api, `"${q} alpha"`)]).toEqual([q, all]);
      expect([q, await found(api, `alpha -${q}`)]).toEqual([q, [String(spellings.length)]]);
    }
  });

  it('a search still distinguishes the forms of a word that differ only in accents', async () => {
    const api = await accountWith(['informações', 'informação'], 'pt');
    expect(await found(api, 'informação')).toEqual(['0', '1']);
    const french = await accountWith(['ils mangèrent', 'il mangea'], 'fr');
    expect(await found(french, 'manger')).toEqual(['0', '1']);
  });

  it.each([
    ['Cyrillic', 'bg', ['йод', 'иод'], 'йод'],
    ['Ukrainian', 'uk', ['їжак', 'іжак'], 'їжак'],
    ['Japanese', 'ja', ['ガラス', 'カラス'], 'ガラス'],
    ['Japanese decomposed', 'ja', ['か\u3099す', 'かす'], 'がす'],
    ['Hindi', undefined, ['किताब', 'कताब'], 'किताब'],
    ['Thai', 'th', ['น้ำ', 'นำ'], 'น้ำ'],
    ['Korean', 'ko', ['검색', '감색'], '검색'],
    ['Tamil', undefined, ['தமிழ்', 'தமழ'], 'தமிழ்'],
  ])(
    'a search distinguishes marks that are separate letters in %s',
    async (_script, language, texts, q) => {
      const api = await accountWith(texts, language);
      expect(await found(api, q)).toEqual(['0']);
    },
  );

  const apostrophes: [string, string][] = [
    ["'", "'"],
    ['\u2019', "'"],
    ["'", '\u2019'],
    ['\u2019', '\u02bc'],
  ];
  it.each(drillCases(apostrophes, (_, index) => index % 2 === 1))(
    'a search finds words with an apostrophe, written with %s and searched with %s',
    async (there, here) => {
      const words = [
        'don#t',
        'O#Reilly',
        'rock#n#roll',
        'l#été',
        'isn#t',
        'it#s',
        'd#accord',
        'qu#il',
      ];
      for (const language of [undefined, 'fr', 'pt', 'it', 'simple']) {
        const texts = words.map((word) => `so (${word.replaceAll('#', there)}), he said`);
        const api = await accountWith([...texts, 'plain text'], language);
        for (const [n, word] of words.entries()) {
          const q = word.replaceAll('#', here);
          expect([language, q, await found(api, q)]).toEqual([language, q, [String(n)]]);
        }
      }
    },
  );

  const languages = [undefined, 'fr', 'de', 'es', 'pt', 'it', 'sv', 'da', 'nl', 'ru', 'xx'];
  it.each(drillCases(languages, (_, index) => index % 3 === 0))(
    'a search finds words with signs as written (%s)',
    async (language) => {
      const words = [
        'AT&T',
        'R&D',
        'Q&A',
        'C++',
        'C#',
        '.NET',
        'node.js',
        'e-mail',
        'to-do',
        'he/she',
        'and/or',
        'TCP/IP',
        'F#',
        'A/B',
      ];
      const api = await accountWith(
        words.map((word) => `see "${word}", or ${word}-like: ${word}.`),
        language,
      );
      for (const [n, word] of words.entries()) {
        expect([word, await found(api, word)]).toEqual([word, expect.arrayContaining([String(n)])]);
        expect([word, await found(api, word.toLowerCase())]).toEqual([
          word,
          expect.arrayContaining([String(n)]),
        ]);
        expect([word, await found(api, `"${word}"`)]).toEqual([
          word,
          expect.arrayContaining([String(n)]),
        ]);
      }
      expect(await found(api, 'AT&T')).toEqual(['0']);
    },
  );

  it('a search finds nothing for two stop words that no sign joins, and ignores them next to others', async () => {
    const api = await accountWith(['at the t of it', 'AT&T at the top']);
    expect(await found(api, 'at t')).toEqual([]);
    expect(await found(api, 'at the')).toEqual([]);
    expect(await found(api, 'AT&T top')).toEqual(['1']);
    expect(await found(api, 'top of-the it')).toEqual([]);
    expect(await found(api, '-AT&T')).toEqual(['0']);
  });

  it('a search finds phrases across scripts in this order, and nowhere else', async () => {
    const api = await accountWith([
      'alpha 东京 beta',
      'alpha beta 东京',
      '东京 beta alpha',
      'alpha东京beta',
      'Alpha, 东京都! Beta',
      'alpha beta',
    ]);
    const phrases: [string, string[]][] = [
      ['"alpha beta"', ['1', '5']],
      ['"alpha 东京"', ['0', '3', '4']],
      ['"alpha东京"', ['0', '3', '4']],
      ['"东京 beta"', ['0', '2', '3']],
      ['"beta 东京"', ['1']],
      ['"东京 alpha"', []],
      ['"alpha 东京 beta"', ['0', '3']],
      ['"alpha 东京都 beta"', ['4']],
      ['"都 beta"', ['4']],
      ['"东 beta"', []],
      ['"东京 beta alpha"', ['2']],
      ['"alpha beta" -东京', ['5']],
      ['alpha -"东京 beta"', ['1', '4', '5']],
    ];
    for (const [q, titles] of phrases) expect([q, await found(api, q)]).toEqual([q, titles]);
  });

  it.each([undefined, 'de', 'ja'])(
    'a search finds phrases across scripts in every language (%s)',
    async (language) => {
      const api = await accountWith(['alpha 東京 beta', 'alpha beta 東京', '東京、大阪'], language);
      expect(await found(api, '"alpha beta"')).toEqual(['1']);
      expect(await found(api, '"alpha 東京"')).toEqual(['0']);
      expect(await found(api, '"東京 大阪"')).toEqual(['2']);
      expect(await found(api, '"大阪 東京"')).toEqual([]);
    },
  );

  it('a search marks what it found, as written', async () => {
    const texts: [string, string, string | undefined, string][] = [
      ['cafe', 'the Café, open', undefined, 'the <mark>Café</mark>, open'],
      ['café', 'the cafe, open', undefined, 'the <mark>cafe</mark>, open'],
      ['strasse', 'in der Straße 5', 'de', 'in der <mark>Straße</mark> 5'],
      ['Haeuser', 'am Häuser-See', undefined, 'am <mark>Häuser-See</mark>'],
      ['AT&T', 'that (AT&T) is', undefined, 'that (<mark>AT&amp;T</mark>) is'],
      ["don't", 'I don’t know', undefined, 'I <mark>don’t</mark> know'],
      ["l'ete", 'dans l’été, ici', 'fr', 'dans <mark>l’été</mark>, ici'],
      ['C++', 'in C++, not', undefined, 'in <mark>C++</mark>, not'],
      ['c#', 'in C# now', 'fr', 'in <mark>C#</mark> now'],
      ['lodz', 'do Łodzi i Łódź.', 'pl', 'do Łodzi i <mark>Łódź</mark>.'],
    ];
    for (const [q, text, language, html] of texts) {
      const api = await accountWith([text], language);
      expect([q, await highlightOf(api, q)]).toEqual([q, html]);
    }
  });
});
