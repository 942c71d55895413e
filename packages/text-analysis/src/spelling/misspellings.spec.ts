import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../analysis.js';
import { paragraphsOf } from '../paragraphs.js';
import { Dictionaries } from './hunspell.js';
import {
  type CandidateCache,
  misspellings,
  type SpellingContext,
  wordUse,
} from './misspellings.js';
import { softwareTerms } from './software-terms.js';

describe('spelling in other languages than English', () => {
  let dictionaries: Dictionaries;
  let base: SpellingContext;

  beforeAll(async () => {
    dictionaries = await Dictionaries.open();
    const english = await dictionaries.forLanguage('en');
    base = {
      accountWords: new Set(),
      frequentWords: new Set(),
      names: new Set(),
      terms: await softwareTerms(),
      otherLanguages: english ? [english] : [],
    };
  });

  async function check(
    language: string,
    text: string,
    context: Partial<SpellingContext> = {},
  ): Promise<Finding[]> {
    const dictionary = await dictionaries.forLanguage(language);
    if (!dictionary) throw new Error(`no dictionary for ${language}`);
    const paragraphs = paragraphsOf(text, 'markdown');
    const findings = paragraphs.flatMap((paragraph) =>
      misspellings(paragraph, dictionary, { ...base, ...wordUse(paragraphs), ...context }),
    );
    for (const { start, end, original } of findings) expect(text.slice(start, end)).toBe(original);
    return findings;
  }

  const first = (findings: Finding[]) =>
    findings.map(({ original, replacements }) => [original, replacements[0]?.value]);

  it.each([
    [
      'de',
      'Die Verbindnug zum Server wird gespeichrt.',
      [
        ['Verbindnug', 'Verbindung'],
        ['gespeichrt', 'gespeichert'],
      ],
    ],
    [
      'fr',
      'Le serveur enregistre le developpement du projet.',
      [['developpement', 'développement']],
    ],
    [
      'es',
      'La configuracion del servidor tiene un problma.',
      [
        ['configuracion', 'configuración'],
        ['problma', 'problema'],
      ],
    ],
    [
      'pt',
      'A configuracao do servidor tem um prolbema.',
      [
        ['configuracao', 'configuração'],
        ['prolbema', 'problema'],
      ],
    ],
    ['sv', 'Han bor med sina föreldrar.', [['föreldrar', 'föräldrar']]],
    ['da', 'Hun bor hos sine foreldre.', [['foreldre', 'forældre']]],
    ['de', 'Die Tür schliest nicht.', [['schliest', 'schließt']]],
    [
      'nl',
      'De gebruiker heeft een vraagg over de handlieding.',
      [
        ['vraagg', 'vraag'],
        ['handlieding', 'handleiding'],
      ],
    ],
    [
      'pl',
      'Uzytkownik otrzymuje wiadomosć o błędzie.',
      [
        ['Uzytkownik', 'Użytkownik'],
        ['wiadomosć', 'wiadomość'],
      ],
    ],
    [
      'da',
      'Brugeren får en fejlmeddelelese hver gagn.',
      [
        ['fejlmeddelelese', 'fejlmeddelelse'],
        ['gagn', 'gang'],
      ],
    ],
    [
      'sv',
      'Användaren får ett felmedelande varje gågn.',
      [
        ['felmedelande', 'felmeddelande'],
        ['gågn', 'gång'],
      ],
    ],
  ])('finds what is misspelled and knows what was meant: %s', async (language, text, expected) => {
    expect(first(await check(language, text))).toEqual(expected);
  });

  it.each([
    [
      'de',
      'Anfragekörper, Datenbankverbindung und die Haupt- und Nebenräume der Zwischenspeicherung.',
    ],
    ['de', 'Das Deployment läuft über die Pipeline, sagt Frau Kowalczyk aus Wrzeszcz.'],
    ['fr', "L’homme d'aujourd’hui s'étonne : qu'est-ce qu'il y a, jusqu'à l'aube ?"],
    ['nl', "In 's-Gravenhage staan foto’s van het zoekpad en de bestandsextensie."],
    ['pt', 'Sentaram-se para levá-los; a deteção de ficheiros e o utilizador.'],
    ['es', 'El subproceso preprocesado se reconfigura automáticamente.'],
    ['sv', 'API:et styrs av styrfilen och huvudfilen.'],
    ['da', 'API’et viser databaseforbindelsen.'],
    ['pl', 'Interfejs API-em zarządza JSON-owym plikiem.'],
    ['de', 'Die ﬁnale Gr\u00ADö\u00ADße und die Gro\u0308ße.'],
  ])('leaves alone what its language builds: %s', async (language, text) => {
    expect(first(await check(language, text))).toEqual([]);
  });

  it.each([
    ['de', 'Wir müssen das Licht einschallten.', [['einschallten', 'einschalten']]],
    ['de', 'Die Protokolierstufe steigt.', []],
    ['nl', 'De toetsenbordindeling van de benedenbalk.', []],
    ['da', 'Et nøgleordsargument.', []],
  ])('offers no compound that nobody means: %s %s', async (language, text, expected) => {
    expect(first(await check(language, text))).toEqual(expected);
  });

  it.each([
    ['pl', 'Wybór frameworków i bibliotek reactowych zależy od commitów na branchu.'],
    ['es', 'El componente renderizado se puede redimensionarla, pulsándolo o introdúzcala.'],
    ['de', 'Der gehostete Dienst wurde gestern debuggt und die Timern.'],
    ['nl', 'Het clientnetwerk toont logniveaus in de webcache.'],
    ['fr', 'Le titre est: click one of the items in the list.'],
  ])('leaves alone English stems with endings and English phrases: %s', async (language, text) => {
    expect(first(await check(language, text))).toEqual([]);
  });

  it('reports an English word that is nearly a common word of the language', async () => {
    expect(first(await check('fr', 'Le traffic routier est dense.'))).toEqual([
      ['traffic', 'trafic'],
    ]);
    expect(first(await check('sv', 'Skriv din address här.'))).toEqual([['address', 'adress']]);
    expect(first(await check('nl', 'De address of the router.'))).toEqual([]);
  });

  it('ranks common words first', async () => {
    const findings = await check('es', 'Puudes venir a la cassa maañna.');
    expect(first(findings)).toEqual(expect.arrayContaining([['maañna', 'mañana']]));
  });

  it('is sure only if there is one plain slip of a common word', async () => {
    const [finding] = await check('de', 'Die Verbindnug steht.');
    expect(finding?.replacements[0]).toEqual({ value: 'Verbindung', confidence: 0.95 });
    const [other] = await check('fr', 'J’ai recu la lettre.');
    expect(other?.replacements[0]?.confidence).toBeLessThan(0.9);
  });

  it('leaves alone code, addresses, identifiers, numbers, capitals and English words', async () => {
    const text =
      'Der `Fehlre` steht in [hier](https://xn.example/verbindnug), siehe config_wret, fooBarr, v1.2x, SNHRDL und den Workflow.';
    expect(first(await check('de', text))).toEqual([]);
  });

  it('keeps ranges exact beside emphasis, emoji, CRLF and combining marks', async () => {
    const text = '😀 Die **Verbindnug**\r\nist e\u0301 👩‍👩‍👧 gespeichrt.\r\n';
    expect(first(await check('de', text)).map(([original]) => original)).toEqual([
      'Verbindnug',
      'gespeichrt',
    ]);
  });

  it('knows the words of the account, terms used three times, and names', async () => {
    const text = 'La flumba del servidro.';
    expect(await check('es', text)).toHaveLength(1);
    expect(await check('es', text, { accountWords: new Set(['servidro']) })).toEqual([]);
    expect(await check('es', `${text} El servidro. Un servidro.`)).toEqual([]);
    expect(await check('es', 'El señor Gonzálvar llegó. Gonzálvar llamó.')).toEqual([]);
  });

  it('answers the same with a cache as without', async () => {
    const dictionary = await dictionaries.forLanguage('da');
    const [paragraph] = paragraphsOf(
      'Brugeren får en fejlmeddelelese, forsporglsen mangelrr.',
      'plain',
    );
    if (!dictionary || !paragraph) throw new Error('nothing to check');
    const cache: CandidateCache = new Map();
    const once = misspellings(paragraph, dictionary, base, cache);
    expect(misspellings(paragraph, dictionary, base, cache)).toEqual(once);
    expect(misspellings(paragraph, dictionary, base)).toEqual(once);
  });

  it('reads the dictionaries of a folder, in other encodings too, and prefers them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dictionaries-'));
    try {
      await writeFile(join(folder, 'eo.aff'), 'SET UTF-8\n');
      await writeFile(join(folder, 'eo.dic'), '2\nhundo\nkato\n');
      await writeFile(
        join(folder, 'cs_CZ.aff'),
        Buffer.from('SET ISO8859-2\nSFX \xb9 Y 1\nSFX \xb9 0 y .\n', 'latin1'),
      );
      await writeFile(join(folder, 'cs_CZ.dic'), Buffer.from('1\nko\xe8k\xb9/\xb9\n', 'latin1'));
      await writeFile(join(folder, 'lonely.aff'), 'SET UTF-8\n');
      const own = await Dictionaries.open(folder);
      expect(own.languages).toEqual(expect.arrayContaining(['eo', 'cs-CZ', 'de', 'fr']));
      expect(own.languages).not.toContain('lonely');
      expect(own.codeFor('cs')).toBe('cs-CZ');
      const esperanto = await own.forLanguage('eo');
      expect([esperanto?.knows('hundo'), esperanto?.knows('hundoo')]).toEqual([true, false]);
      const czech = await own.forLanguage('cs');
      expect([czech?.knows('kočkš'), czech?.knows('kočkšy'), czech?.knows('kocks')]).toEqual([
        true,
        true,
        false,
      ]);
      await own.evict('eo');
      expect((await own.forLanguage('eo'))?.knows('kato')).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('says nothing of a paragraph in another language, and takes no time over noise', async () => {
    const finnish =
      'Palvelu lukee asetuksensa ympäristöstä eikä käynnisty, jos jokin niistä puuttuu, ja kertoo silloin puuttuvan arvon nimen.';
    expect(await check('de', finnish, { otherLanguages: [] })).toEqual([]);
    const started = performance.now();
    await check('da', 'xqzvk wrtpls bnmkj '.repeat(5_000));
    await check('da', `${'!'.repeat(100_000)}a ${"'a-".repeat(50_000)} ${'ø'.repeat(100_000)}`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('has one dictionary for all regions of a language, and none for unknown ones', () => {
    expect(dictionaries.codeFor('pt-BR')).toBe('pt');
    expect(dictionaries.codeFor('en-GB')).toBe('en-GB');
    expect(dictionaries.codeFor('en-US')).toBe('en');
    expect(dictionaries.codeFor('it')).toBeUndefined();
  });
});
