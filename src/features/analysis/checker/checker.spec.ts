import fc from 'fast-check';
import { annotatedText, changedPart, placedRange, type Annotation } from './annotated-text.js';
import { checkFields, keyIn, queryFields } from './check-fields.js';
import { checkRequest } from './check-request.js';
import { countedParagraphs, FreeParagraphs } from './free-paragraphs.js';
import { isSelected, languageToolId } from './language-tool-ids.js';
import { sentFields } from './sent-fields.js';

const fieldsOf = (body: string) => checkFields(sentFields(Buffer.from(body)));

/** Returns the processor time of the fastest of several runs, in ms. */
function cpuMs(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

describe('The fields of a check', () => {
  it('are the same for every encoding of a form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const form = new URLSearchParams({ text, language: 'en-US' }).toString();
        expect(fieldsOf(form)).toEqual({ text: text.toWellFormed(), language: 'en-US' });
        const encoded = `language=en-US&text=${encodeURIComponent(text.toWellFormed())}`;
        expect(fieldsOf(encoded)).toEqual(fieldsOf(form));
      }),
    );
  });

  it.each([
    ['text=Search & find&language=en-US', 'Search & find'],
    ['text=a && b = c, 50% + 1&language=en-US', 'a && b = c, 50% + 1'],
    ['text=R&D is “new”&language=en-US', 'R&D is “new”'],
    ['language=en-US&text=The last & only&', 'The last & only'],
    ['text=Hello+there&mode=all&language=en-US', 'Hello there'],
    ['text=Hello there&mode=all&language=en-US', 'Hello there'],
    ['text=100%&language=en-US', '100%'],
    ['text=%zz%4&language=en-US', '%zz%4'],
    ['text=%ff&language=en-US', '\ufffd'],
    ['text=first&text=last&language=en-US', 'last'],
  ])('%j has the text %j', (body, text) => {
    expect(fieldsOf(body)).toEqual({ text, language: 'en-US' });
  });

  it('come from a JSON object, whose other members are ignored', () => {
    expect(fieldsOf('\n {"text": "a", "__proto__": {"language": "xx"}, "mode": 1}')).toEqual({
      text: 'a',
    });
  });

  it.each(['{', '{"text": "a"}}', '{text=a&language=en'])('throws for the body %j', (body) => {
    expect(() => fieldsOf(body)).toThrow('is not a JSON object');
  });

  it('do not include members of data that nest deeply', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const fields = fieldsOf(`{"language": "en", "data": {"annotation": ${deep}}}`);
    expect(() => checkRequest(fields)).toThrow('annotation[0] in data');
  });

  it('may have the object data, or its JSON text in a string', () => {
    const data = { annotation: [{ text: 'a "b"' }, { markup: '}]' }] };
    for (const sent of [data, JSON.stringify(data)]) {
      const body = JSON.stringify({ language: 'en', x: '"]}\\', data: sent, y: [[{}], 1.5, null] });
      expect(checkRequest(fieldsOf(body)).text.plain).toBe('a "b"');
    }
  });

  it.each([
    ['text=a&apiKey=first&apiKey=last', 'last'],
    ['text=a&apiKey=&api_key=other', 'other'],
    ['text=Search & find&apiKey=k', 'k'],
    ['text=a&api%5Fkey=a%2Bb', 'a+b'],
    ['{"text": "\\"apiKey\\": 1", "data": {"apiKey": "no"}, "api\\u004bey": "yes"}', 'yes'],
    ['{"data": [{"apiKey": "no"}], "apiKey": 5}', undefined],
    ['{"apiKey": "yes", "text": }', 'yes'],
    [`apiKey=${'x'.repeat(2_000_000)}`, 'x'.repeat(1_000)],
  ])('%.70s has the key %.10s', (body, key) => {
    expect(keyIn(sentFields(Buffer.from(body)))).toBe(key);
  });

  it.each(['&', 'a=&', 'apiKey=&'])('throws for a form of too many fields such as %j', (field) => {
    expect(() => fieldsOf(field.repeat(250_000))).toThrow('more than 1000 fields');
  });

  it('are found in linear time, however many ampersands are in an unencoded text', () => {
    const text = `text= ${'a'.repeat(2_000_000)}`;
    const once = cpuMs(() => sentFields(Buffer.from(`${text}&`)));
    const often = cpuMs(() => sentFields(Buffer.from(`${text}${'&'.repeat(990)}`)));
    // Looking at the whole text for each ampersand takes about 1,000 times as long.
    expect(often).toBeLessThan(50 * Math.max(once, 2));
  });

  const list = (names: number, length = 1) => Array(names).fill('x'.repeat(length)).join(',');
  const LISTS = [
    'preferredVariants',
    'enabledRules',
    'disabledRules',
    'enabledCategories',
    'disabledCategories',
  ];

  it.each(LISTS)('have at most 200 names of 100 characters in %s', (name) => {
    const request = (value: string) => checkRequest({ language: 'en', text: 'a', [name]: value });
    expect(() => request(list(200, 100))).not.toThrow();
    expect(() => request(list(201))).toThrow(
      `The field ${name} has 201 names; at most 200 are allowed.`,
    );
    expect(() => request(list(1, 101))).toThrow(
      `The field ${name} has a name of 101 characters, "${'x'.repeat(50)}…"; at most 100 are allowed.`,
    );
  });

  const LIMITS: [string, number][] = [
    ...LISTS.map((name): [string, number] => [name, 20_400]),
    ...['language', 'motherTongue', 'level', 'enabledOnly'].map((name): [string, number] => [
      name,
      100,
    ]),
    ...['apiKey', 'api_key'].map((name): [string, number] => [name, 1_000]),
    ...['username', 'mode', 'unknown'].map((name): [string, number] => [name, 10_000]),
    ['data', 1_500_000],
  ];

  it.each(LIMITS)('have at most so many characters in %s: %i', (name, limit) => {
    const most = 'é'.repeat(limit);
    const characters = `The field ${name} has ${(limit + 1).toLocaleString('en')} characters; at most ${limit.toLocaleString('en')} characters are allowed.`;
    const bodies = (value: string) => [
      new URLSearchParams({ a: '1', [name]: value, text: 'a' }).toString(),
      `${name}=${value}&text=a`,
      `${name}=${value}&${name}=short&text=a`,
    ];
    for (const body of bodies(most)) expect(() => fieldsOf(body)).not.toThrow();
    for (const body of bodies(`${most}e`)) expect(() => fieldsOf(body)).toThrow(characters);
    expect(() => queryFields({ [name]: `${most}e` })).toThrow(characters);
    expect(() => queryFields({ [name]: ['short', `${most}e`] })).toThrow(characters);
    if (name === 'data') return;
    expect(() => fieldsOf(JSON.stringify({ [name]: most }))).not.toThrow();
    expect(() => fieldsOf(JSON.stringify({ [name]: `${most}e` }))).toThrow(characters);
    expect(() => fieldsOf(JSON.stringify({ [name]: [most] }))).toThrow(`The field ${name} has`);
  });

  it.each(LIMITS.filter(([name]) => name !== 'data'))(
    'are refused before they are decoded: 1.9 MB of %s',
    (name, limit) => {
      const most = `at most ${limit.toLocaleString('en')} characters are allowed`;
      const refusal = new RegExp(`The field ${name} has [12],[0-9]{3},[0-9]{3} bytes; ${most}`);
      const bodies = [
        `text=a&${name}=${'en-US,'.repeat(316_000)}`,
        JSON.stringify({ [name]: 'x'.repeat(1_900_000) }),
        `{"${name}": [${'1,'.repeat(950_000)}1]}`,
      ];
      // The number of bytes is known without decoding them.
      for (const body of bodies) expect(() => fieldsOf(body)).toThrow(refusal);
    },
  );

  it('have names of at most 100 characters', () => {
    const name = 'n'.repeat(101);
    const message = 'has 101 bytes; at most 100 are allowed';
    expect(() => fieldsOf(`${name}=1`)).toThrow(message);
    expect(() => fieldsOf(JSON.stringify({ [name]: 1 }))).toThrow(message);
    expect(() => queryFields({ [name]: '1' })).toThrow(message);
    expect(() => fieldsOf('a'.repeat(2_000_000))).toThrow('has 2,000,000 bytes');
    expect(() => fieldsOf(`{"${'a'.repeat(2_000_000)}":1}`)).toThrow('has 2,000,000 bytes');
  });
});

describe('A text with markup', () => {
  const markdown = annotatedText([
    { text: 'This is ' },
    { markup: '**' },
    { text: 'an test' },
    { markup: '**' },
    { text: ' of ' },
    { markup: '`teh code`', interpretAs: 'Dummy0' },
    { text: '.' },
  ]);

  it('is checked without markup, and with what markup is read as', () => {
    expect(markdown.plain).toBe('This is an test of Dummy0.');
    expect(markdown.length).toBe('This is **an test** of `teh code`.'.length);
  });

  it('places ranges of the plain text in the text with markup', () => {
    expect(placedRange(markdown, { start: 8, end: 10 })).toEqual({
      start: 10,
      end: 12,
      hasMarkup: false,
    });
    expect(placedRange(markdown, { start: 5, end: 10 })).toEqual({
      start: 5,
      end: 12,
      hasMarkup: true,
    });
    expect(placedRange(markdown, { start: 16, end: 25 })).toEqual({
      start: 20,
      end: 33,
      hasMarkup: true,
    });
    expect(placedRange(markdown, { start: 20, end: 24 })).toBeUndefined();
  });

  it('places every unit of text at the same character', () => {
    const annotation: fc.Arbitrary<Annotation> = fc.oneof(
      fc.record({ text: fc.string({ maxLength: 5 }) }),
      fc.record({
        markup: fc.string({ maxLength: 5 }),
        interpretAs: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
      }),
    );
    fc.assert(
      fc.property(fc.array(annotation, { maxLength: 20 }), (annotations) => {
        const text = annotatedText(annotations);
        const source = annotations.map((one) => ('text' in one ? one.text : one.markup)).join('');
        const isText = annotations.flatMap((one) =>
          'text' in one
            ? Array.from(one.text.split(''), () => true)
            : Array.from((one.interpretAs ?? '').split(''), () => false),
        );
        expect(text).toMatchObject({ length: source.length });
        expect(text.plain).toHaveLength(isText.length);
        isText.forEach((own, start) => {
          const placed = placedRange(text, { start, end: start + 1 });
          expect(placed && source.slice(placed.start, placed.end)).toBe(
            own ? text.plain[start] : undefined,
          );
        });
      }),
    );
  });

  it('keeps markup inside a finding if the replacement allows it', () => {
    expect(changedPart('a error', { start: 5, end: 12 }, ['an error'])).toEqual({
      start: 5,
      end: 6,
      replacements: ['an'],
    });
    expect(changedPart('However we', { start: 0, end: 10 }, ['However, we'])).toEqual({
      start: 6,
      end: 7,
      replacements: ['r,'],
    });
    expect(changedPart('the the', { start: 0, end: 7 }, ['the'])).toEqual({
      start: 3,
      end: 7,
      replacements: [''],
    });
    expect(changedPart('😀', { start: 0, end: 2 }, ['😁'])).toEqual({
      start: 0,
      end: 2,
      replacements: ['😁'],
    });
  });

  it('has changes that give the same result as the whole replacement', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1, maxLength: 4 }), (original, values) => {
        const { start, end, replacements } = changedPart(
          original,
          { start: 0, end: original.length },
          values,
        );
        expect(end).toBeGreaterThan(start);
        expect(
          replacements.map((value) => original.slice(0, start) + value + original.slice(end)),
        ).toEqual(values);
        expect(original.slice(start, end).isWellFormed()).toBe(true);
      }),
    );
  });

  it.each([
    ['[]', 'not a JSON object'],
    ['{', 'not valid JSON'],
    ['{}', 'needs text'],
    ['{"text":"a","annotation":[]}', 'both text and annotation'],
    ['{"text":1}', 'needs text'],
    ['{"annotation":{"text":"a"}}', 'needs text'],
    ['{"annotation":[{"text":"a"},null]}', 'annotation[1] in data'],
    ['{"annotation":[{"text":"a","markup":"b"}]}', 'annotation[0] in data'],
    ['{"annotation":[{"text":"a","interpretAs":"b"}]}', 'annotation[0] in data'],
    ['{"annotation":[{"markup":"a","interpretAs":1}]}', 'annotation[0] in data'],
  ])('is refused as %s', (data, message) => {
    expect(() => checkRequest({ language: 'en', data })).toThrow(message);
  });

  it('may have other members, as gramma sends them', () => {
    const data = JSON.stringify({
      annotation: [
        { text: 'a', offset: { start: 0, end: 1 } },
        { markup: '*', offset: {} },
      ],
      more: 1,
    });
    expect(checkRequest({ language: 'en', data }).text).toMatchObject({ plain: 'a', length: 2 });
  });

  it('has at most 65,536 UTF-16 units, with and without markup', () => {
    const request = (data: object) => checkRequest({ language: 'en', data: JSON.stringify(data) });
    const most = 'x'.repeat(65_536);
    expect(request({ text: most }).text.length).toBe(65_536);
    for (const annotation of [
      [{ text: most }, { markup: '*' }],
      [{ markup: '*', interpretAs: `${most}x` }],
    ]) {
      expect(() => request({ annotation })).toThrow('at most 65,536 can be checked at once');
    }
  });
});

describe('Rules under the names of LanguageTool', () => {
  it.each([
    ['spelling.unknown-word', 'en-US', 'MORFOLOGIK_RULE_EN_US'],
    ['spelling.unknown-word', 'en', 'MORFOLOGIK_RULE_EN_US'],
    ['spelling.unknown-word', 'en-GB', 'MORFOLOGIK_RULE_EN_GB'],
    ['spelling.unknown-word', 'de-DE', 'GERMAN_SPELLER_RULE'],
    ['spelling.unknown-word', 'de-AT', 'AUSTRIAN_GERMAN_SPELLER_RULE'],
    ['spelling.unknown-word', 'fr-CA', 'FR_SPELLING_RULE'],
    ['spelling.unknown-word', 'es', 'MORFOLOGIK_RULE_ES'],
    ['spelling.unknown-word', 'pt-BR', 'MORFOLOGIK_RULE_PT_BR'],
    ['spelling.unknown-word', 'pt-PT', 'MORFOLOGIK_RULE_PT_PT'],
    ['spelling.unknown-word', 'nl', 'MORFOLOGIK_RULE_NL_NL'],
    ['spelling.unknown-word', 'pl-PL', 'MORFOLOGIK_RULE_PL_PL'],
    ['spelling.unknown-word', 'uk-UA', 'MORFOLOGIK_RULE_UK_UA'],
    ['grammar.an-a', 'en-US', 'GRAMMAR_AN_A'],
  ])('%s in %s is %s', (ruleId, language, id) => {
    expect(languageToolId(ruleId, language)).toBe(id);
  });

  const none = {
    enabledRules: [],
    disabledRules: [],
    enabledCategories: [],
    disabledCategories: [],
    enabledOnly: false,
  };
  const spelling = {
    ruleId: 'spelling.unknown-word',
    category: 'spelling',
    severity: 'error',
  } as const;
  const passive = { ruleId: 'passive.voice', category: 'passive', severity: 'style' } as const;

  it.each([
    [spelling, {}, true],
    [spelling, { disabledRules: ['MORFOLOGIK_RULE_EN_US'] }, false],
    [spelling, { disabledRules: ['SPELLING.UNKNOWN-WORD'] }, false],
    [spelling, { disabledRules: ['MORFOLOGIK_RULE_EN_GB'] }, true],
    [spelling, { disabledCategories: ['TYPOS'] }, false],
    [spelling, { disabledCategories: ['TYPOS'], enabledRules: ['MORFOLOGIK_RULE_EN_US'] }, true],
    [spelling, { enabledOnly: true, enabledCategories: ['GRAMMAR'] }, false],
    [spelling, { enabledOnly: true, enabledCategories: ['TYPOS'] }, true],
    [passive, {}, false],
    [passive, { enabledRules: ['PASSIVE_VOICE'] }, true],
    [passive, { enabledCategories: ['STYLE'] }, true],
  ])('%j with %j is reported: %j', (finding, rules, reported) => {
    expect(isSelected(finding, 'en-US', false, { ...none, ...rules })).toBe(reported);
  });

  it('reports style at the picky level', () => {
    expect(isSelected(passive, 'en-US', true, none)).toBe(true);
  });
});

describe('Free paragraphs', () => {
  const at = (minutes: number) => new Date(minutes * 60_000);
  const text = (line: string) => `${line.padEnd(60, '.')}\n`;
  const units = 61;

  it('count once an hour for each account', () => {
    const free = new FreeParagraphs();
    const [one, two] = [text('one'), text('two')];
    free.add('a', countedParagraphs(one), at(0));
    expect(free.unchecked('a', countedParagraphs(one + two), at(59))).toBe(units);
    expect(free.unchecked('b', countedParagraphs(one + two), at(59))).toBe(2 * units);
    expect(free.unchecked('a', countedParagraphs(one), at(60))).toBe(units);
    expect(free.unchecked('b', countedParagraphs(one + one), at(0))).toBe(units);
  });

  it('forgets the least recent ones, of the account and of all accounts', () => {
    const free = new FreeParagraphs({ ofAccount: 3, all: 4 });
    const lines = ['1', '2', '3', '4'].map((line) => countedParagraphs(text(line)));
    for (const paragraphs of lines) free.add('a', paragraphs, at(0));
    expect(lines.map((paragraphs) => free.unchecked('a', paragraphs, at(1)))).toEqual([
      units,
      0,
      0,
      0,
    ]);
    free.add('b', [...(lines[0] ?? []), ...(lines[1] ?? [])], at(1));
    expect(free.count).toBe(4);
    expect(lines.map((paragraphs) => free.unchecked('a', paragraphs, at(1)))).toEqual([
      units,
      units,
      0,
      0,
    ]);
  });

  it('are few even in a text of empty or short lines', () => {
    expect(countedParagraphs('\n'.repeat(65_536))).toEqual([]);
    expect(countedParagraphs('a\n'.repeat(32_768)).length).toBeLessThan(1_700);
    const total = countedParagraphs('a\nb\n'.repeat(5_000)).reduce(
      (sum, { length }) => sum + length,
      0,
    );
    expect(total).toBe(20_000);
  });
});
