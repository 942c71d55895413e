import { Engine } from '../engine.js';
import { RULES } from './enhancement-rules.js';
import type { RuleGoal } from './goals.js';

const engine = new Engine(undefined);

interface Options {
  goals?: RuleGoal[];
  language?: string;
  words?: string[];
  dismissed?: string[];
  format?: 'markdown' | 'plain';
}

async function enhanced(content: string, options: Options = {}) {
  const { goals = ['consistency'], language = 'en', words = [], dismissed = [] } = options;
  const { suggestions, title } = await engine.enhance(
    {
      content,
      format: options.format ?? 'markdown',
      settings: { checks: [], language, suggestionLevel: 'low' },
      rules: { words, styleRules: [] },
      dismissed,
      kept: null,
    },
    goals,
  );
  for (const { start, end, original, source } of suggestions) {
    expect(content.slice(start, end)).toBe(original);
    expect(source).toBe('rule');
  }
  return { suggestions: suggestions.filter(({ status }) => status === 'open'), title };
}

/** `rule: original > replacement` for each suggestion. */
async function told(content: string, options?: Options): Promise<string[]> {
  const { suggestions } = await enhanced(content, options);
  return suggestions.map(
    ({ ruleId, original, replacements }) =>
      `${ruleId}: ${original} > ${replacements.map(({ value }) => value).join('|')}`,
  );
}

const repeated = (sentence: string, count: number) => `${sentence} `.repeat(count).trim();

describe('Consistent spelling', () => {
  it('suggests the spelling of the majority, with the counts', async () => {
    const text = `${repeated('The color is red.', 6)} 🙂 One colour is blue. COLOUR is loud.`;
    const { suggestions } = await enhanced(text);
    expect(suggestions.map(({ replacements: [best] }) => best?.value)).toEqual(['color', 'COLOR']);
    expect(suggestions[0]).toMatchObject({
      ruleId: 'consistency.spelling',
      category: 'spelling',
      severity: 'style',
      original: 'colour',
      replacements: [{ value: 'color', confidence: 0.85 }],
      message: 'This document uses "color" 6 times and "colour" 2 times.',
    });
  });

  it.each([
    [
      'a majority over several words decides',
      'Our color, flavor and behavior differ. Their favourite is here.',
      ['consistency.spelling: favourite > favorite'],
    ],
    [
      'a British majority wins too, and capitals stay',
      'The colour and the flavour of our neighbour. Colors differ.',
      ['consistency.spelling: Colors > Colours'],
    ],
    [
      '-ize and -ise are decided on their own',
      'We organize, recognize and optimize the colour. We summarise it.',
      ['consistency.spelling: summarise > summarize'],
    ],
    [
      '-ise is British in an American text',
      'The color and the flavor of the center. We organise it.',
      ['consistency.spelling: organise > organize'],
    ],
    [
      'other words with two spellings are decided word by word',
      'The adapter. This adapter. An adapter. One adaptor.',
      ['consistency.spelling: adaptor > adapter'],
    ],
    [
      'compounds contain words with two spellings',
      'The color, this color and that color are color-coded or colour-blind.',
      ['consistency.spelling: colour > color'],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await told(text)).toEqual(expected);
  });

  it.each([
    ['two to one is no majority', 'The color, this color. One colour.'],
    ['a British text may use -ize', 'The colour, this colour and that colour. We organize it.'],
    ['names stay', 'The color, this color, every color. He works for the Labour Party.'],
    [
      'names at the start of a sentence stay',
      'A color, a color, a color. Labour Party members left.',
    ],
    ['quotations stay', 'A color, a color, a color. She said "a colour" and wrote “my colour”.'],
    ['quoted paragraphs stay', 'A color, a color, a color.\n\n> The colour of money.\n'],
    [
      'code and links stay',
      'A color, a color, a color. Use `colour` and https://x.example/colour.',
    ],
    ['link targets stay', 'A color, a color, a color. See [this](https://x.example/colour).'],
    ['names in code stay', 'The colour, this colour, every colour. Set the color property.'],
    [
      'licences of British texts stay',
      'The colour, this colour, every colour. We license the program.',
    ],
    [
      'verbs that end in -ise everywhere stay',
      'We organize, optimize and realize. Exercise is advised.',
    ],
    ['analyses is a noun too', 'The color, this color, every color. Two analyses were made.'],
  ])('%s', async (_, text) => {
    expect(await told(text)).toEqual([]);
  });

  it('never changes a word of the account, nor the requested variant', async () => {
    const text = 'The color, this color, every color. One colour.';
    expect(await told(text, { words: ['Colour'] })).toEqual([]);
    expect(await told(text, { language: 'en-GB' })).toEqual([]);
    expect(await told(text, { language: 'en-US' })).toHaveLength(1);
  });

  it('does not repeat a dismissed suggestion', async () => {
    const text = 'The color, this color, every color. One colour.';
    const { suggestions } = await enhanced(text);
    const dismissed = suggestions.map(({ id }) => id);
    expect(await told(text, { dismissed })).toEqual([]);
  });

  it('leaves texts in other languages alone', async () => {
    expect(await told('Color color color colour.', { language: 'es' })).toEqual([]);
  });
});

describe('Consistent compounds', () => {
  it.each([
    [
      'An email, the email, our email, this email, and one e-mail.',
      ['consistency.hyphenation: e-mail > email'],
    ],
    [
      'An e-mail, the e-mail, our e-mails, and many emails.',
      ['consistency.hyphenation: emails > e-mails'],
    ],
    [
      'The website, this website, a website. One web site.',
      ['consistency.hyphenation: web site > website'],
    ],
    [
      'An open-source tool, the open-source tool, this open-source library. An open source tool.',
      ['consistency.hyphenation: open source > open-source'],
    ],
  ])('%s', async (text, expected) => {
    expect(await told(text)).toEqual(expected);
  });

  it.each([
    'They resign, resign and resign. We re-sign the contract.',
    'An open-source tool, the open-source tool, this open-source tool. The tool is open source.',
    'A long-term plan, the long-term plan, our long-term plan. In the long term, plans change.',
    'An email, the email. One e-mail.',
    'The webPage, a webPage, this webPage. One web page.',
  ])('leaves alone: %s', async (text) => {
    expect(await told(text)).toEqual([]);
  });
});

describe('Consistent capitals', () => {
  it.each([
    [
      'On GitHub, with GitHub, for GitHub. Github is here, and github too. GitHub GitHub GitHub.',
      ['consistency.capitals: Github > GitHub', 'consistency.capitals: github > GitHub'],
    ],
    [
      'We use Kubernetes, like Kubernetes, and run Kubernetes. Then kubernetes stops.',
      ['consistency.capitals: kubernetes > Kubernetes'],
    ],
    ['An API, the API, each API. One api.', ['consistency.capitals: api > API']],
    [
      'Open a pull request, review a pull request, merge a pull request. Close a Pull Request.',
      ['consistency.capitals: Pull Request > pull request'],
    ],
    [
      'On the internet, the internet, our internet. Then the Internet.',
      ['consistency.capitals: Internet > internet'],
    ],
  ])('%s', async (text, expected) => {
    expect(await told(text)).toEqual(expected);
  });

  it.each([
    'We use Windows, like Windows, and sell Windows. He opens windows.',
    'Two apples, three apples, four apples. A phone of Apple.',
    'The supreme court, a supreme court, every supreme court. The Supreme Court decided.',
    'He met the prime minister, a prime minister, one prime minister and Prime Minister Smith.',
    'The JSON, a JSON, this JSON. Call `json` here.',
    'The zipfile, a zipfile, this zipfile. One ZipFile.',
  ])('leaves alone: %s', async (text) => {
    expect(await told(text)).toEqual([]);
  });
});

describe('Consistent headings', () => {
  const headings = (...lines: string[]) => lines.map((line) => `## ${line}\n\nText.\n`).join('\n');

  it('suggests the style of most headings, and keeps names', async () => {
    const sentences = ['Install the package', 'Run the tests', 'Write a plugin'];
    expect(await told(headings(...sentences, 'Use The Image With Python On Linux'))).toEqual([
      'consistency.heading-case: The Image With Python On > the image with Python on',
    ]);
    const titles = [
      'Install the Package',
      'Run the Tests',
      'Write a Plugin',
      'Write Documentation',
    ];
    expect(await told(headings(...titles, 'Use the `docker` image now'))).toEqual([
      'consistency.heading-case: image now > Image Now',
    ]);
  });

  it.each([
    [
      'one-word headings have no style',
      ['Install the package', 'Run the tests', 'Write a plugin', 'Usage'],
    ],
    [
      'names have no style',
      ['Install the package', 'Run the tests', 'Write a plugin', 'About GitHub'],
    ],
    [
      'acronyms have no style',
      ['Install the package', 'Run the tests', 'Write a plugin', 'The HTTP API'],
    ],
    ['three headings are too few', ['Install the package', 'Run the tests', 'Write A Plugin']],
    [
      'there may be no majority',
      ['Install the package', 'Run the tests', 'Write A Plugin', 'Read Logs'],
    ],
    [
      'a name of two words stays',
      ['Install the package', 'Run the tests', 'Write a plugin', 'Run in GitHub Actions'],
    ],
    [
      'a doubtful name stays',
      ['Install the package', 'Run the tests', 'Write a plugin', 'The Code in Go'],
    ],
    [
      'after a colon a part starts',
      ['Install the package', 'Run the tests', 'Write a plugin', 'Step 4: Read logs'],
    ],
  ])('%s', async (_, lines) => {
    expect(await told(headings(...lines))).toEqual([]);
  });

  it('accepts a title and a level with their own style', async () => {
    const text = `# My Great Project\n\n${headings('Install the package', 'Run the tests', 'Write a plugin', 'Read the logs')}`;
    expect(await told(text)).toEqual([]);
    const levels = Array.from({ length: 9 }, () => '### Read the logs\n').join('\n');
    expect(await told(`${headings('Read Logs', 'Run Tests', 'Write Plugins')}\n${levels}`)).toEqual(
      [],
    );
  });
});

describe('Consistent lists', () => {
  const list = (...items: string[]) => items.map((item) => `- ${item}\n`).join('');

  it('suggests the end of most items, in any language', async () => {
    expect(await told(list('The first.', 'The second.', 'The third.', 'The fourth'))).toEqual([
      'consistency.list-end: fourth > fourth.',
    ]);
    expect(
      await told(list('Äpfel', 'Birnen.', 'Kirschen', 'Pflaumen'), { language: 'de' }),
    ).toEqual(['consistency.list-end: Birnen. > Birnen']);
  });

  it.each([
    ['three items are too few', list('The first.', 'The second.', 'The third')],
    ['a list may read as one sentence', list('apples,', 'pears,', 'plums and', 'cherries.')],
    ['the last item may end the list', list('apples', 'pears', 'plums', 'cherries.')],
    ['two sentences need the period', list('apples', 'Pears. Not ripe.', 'plums', 'cherries')],
    ['abbreviations keep theirs', list('apples', 'pears etc.', 'plums', 'cherries')],
    ['code says nothing', list('The first.', 'The second.', 'The third.', 'Run `npm test`')],
    ['questions say nothing', list('The first.', 'The second.', 'The third.', 'The fourth?')],
    ['nested lists are other lists', list('One.', 'Two.', 'Three:\n  - apples', 'Four.')],
    ['two lists are two', `${list('One.', 'Two.', 'Three.')}\nText.\n\n${list('apples')}`],
    [
      'a code block ends a list',
      `${list('One.', 'Two.', 'Three.')}\n\`\`\`\nx\n\`\`\`\n\n${list('apples')}`,
    ],
  ])('%s', async (_, text) => {
    expect(await told(text)).toEqual([]);
  });
});

describe('Ambiguous dates', () => {
  it('are reported without a replacement', async () => {
    const { suggestions } = await enhanced('We met on 03/04/2025 and on 3-4-2025.');
    expect(suggestions).toHaveLength(2);
    expect(suggestions[0]).toMatchObject({
      ruleId: 'consistency.ambiguous-date',
      original: '03/04/2025',
      replacements: [],
      message: '"03/04/2025" can mean March 4, 2025, or April 3, 2025.',
    });
  });

  it.each([
    'We met on 25/04/2025 and 04/25/2025.',
    'We met on 04/04/2025.',
    'We met on 2025-04-03 and 2025/04/03.',
    'Use `03/04/2025` or https://x.example/03/04/2025/.',
    'The form says "03/04/2025".',
    'The file is in 03/04/2025/report, and 103/04/2025 is a number.',
  ])('are not: %s', async (text) => {
    expect(await told(text)).toEqual([]);
  });
});

describe('Plain words', () => {
  const simplify = (text: string) => told(text, { goals: ['simplify'] });

  it.each([
    ['We utilize it prior to lunch.', ['utilize > use', 'prior to > before']],
    ['In order to win, we run.', ['In order to > To']],
    ['This is an optimal methodology.', ['methodology > method']],
    ['We will purchase it.', ['purchase > buy']],
    ['The majority of the water is cold.', ['The majority of the > Most of the']],
    ['The majority of users endeavor to win.', ['The majority of > Most']],
    ['We endeavor to win.', ['endeavor > try']],
    ['It is **able** to run, and is able to stop.', ['is able to > can']],
    ['This is due to the fact\nthat it works.', ['due to the fact\nthat > because']],
  ])('%s', async (text, expected) => {
    const found = await simplify(text);
    expect(found.map((one) => one.replace(/^[\w.-]+: /, ''))).toEqual(expected);
  });

  it('change the article before them', async () => {
    const [one] = await simplify('This is a utilization of time.');
    expect(one).toBe('simplicity.word: utilization > use');
    expect(await simplify('It was an expedited order.')).toEqual([
      'simplicity.word: an expedited > a sped up',
    ]);
  });

  it.each([
    'The purchase was cheap, and an attempt to win failed.',
    'She said "we utilize it". See [utilize](https://x.example/utilize) and `utilize`.',
    '> We utilize it.',
    'The Utilize Group and the Sufficient Fund met.',
    'A sufficient amount and the assistance of all.',
    'The aforementioned file. An additional file. We go whether or not it rains.',
    'A null-terminated string.',
    'An approximately equal number of votes. They began an endeavor.',
  ])('leave alone: %s', async (text) => {
    expect(await simplify(text)).toEqual([]);
  });
});

describe('Long sentences', () => {
  const clause = 'the committee of the old town has decided to build a new school near the river';
  const simplify = async (text: string) =>
    (await enhanced(text, { goals: ['simplify'] })).suggestions;

  it('are broken at a semicolon between two clauses', async () => {
    const [one, ...others] = await simplify(
      `On Monday ${clause} and the market; it will also pay for the road that leads to the bridge and the houses behind it.`,
    );
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      ruleId: 'simplify.sentence-break',
      category: 'length',
      original: '; it',
      replacements: [{ value: '. It' }],
      message: 'This sentence has 38 words. You can end it at the semicolon.',
    });
  });

  it('get a hint at a conjunction before a clause', async () => {
    const [one, ...others] = await simplify(
      `On Monday ${clause} and the market, but they will not pay for the road that leads to the bridge and the houses behind it.`,
    );
    expect(others).toEqual([]);
    expect(one).toMatchObject({ original: 'but', replacements: [] });
    expect(one?.message).toContain('starting a new sentence at "but"');
  });

  it('get a hint without a place if there is none', async () => {
    const text = `On Monday ${clause} and the market to the south of the road to the bridge and the houses behind it on the other side.`;
    expect(await simplify(text)).toMatchObject([{ original: text, replacements: [] }]);
  });

  it('of 35 words are short enough', async () => {
    expect(await simplify(`${'word '.repeat(34)}end.`)).toEqual([]);
    expect(await simplify(`${'word '.repeat(35)}end.`)).toHaveLength(1);
  });

  it('keep a semicolon in a list', async () => {
    const text = `We sell apples from ${clause}; pears from the gardens of the villages in the east; and plums that grow on the hills of the far north of it.`;
    for (const { replacements } of await simplify(text)) expect(replacements).toEqual([]);
  });
});

describe('A title from the text', () => {
  const titleOf = async (text: string) => (await enhanced(text, { goals: ['title'] })).title;

  it.each([
    ['## How *we* use `git`\n\nText.', 'How we use git'],
    [
      '# Overview\n\nThe report covers the harvest of 2025.',
      'The report covers the harvest of 2025',
    ],
    ['the report covers the harvest.\n\nMore.', 'The report covers the harvest'],
    ['Hi Anna,\n\nthe harvest was good.', 'The harvest was good'],
    [
      'The report covers the harvest of the year, which was the worst since the great flood of the last century.',
      'The report covers the harvest of the year',
    ],
    ['We **run** `npm test` every day.\n\nMore.', 'We run npm test every day'],
    ['See https://x.example for apples and pears.\n\nThe apples are red.', 'Apples'],
    ['```\ncode\n```\n', null],
    ['', null],
  ])('%j', async (text, expected) => {
    expect(await titleOf(text)).toBe(expected);
  });

  it('has at most 80 characters, and whole words', async () => {
    const title = await titleOf(`# ${'wonderful '.repeat(20)}`);
    expect(title).toBe(`${'wonderful '.repeat(8).trim()}…`);
  });
});

describe('Several goals', () => {
  it('never suggest two changes of a passage', async () => {
    const text = 'We utilize, utilize and utilize it. They utilise it.';
    const { suggestions } = await enhanced(text, { goals: ['consistency', 'simplify'] });
    let end = 0;
    for (const one of suggestions) {
      expect(one.start).toBeGreaterThanOrEqual(end);
      end = one.end;
    }
    expect(suggestions).toHaveLength(4);
  });
});

describe('The example of each rule', () => {
  it.each(Object.values(RULES))('shows its suggestion: $ruleId', async ({ ruleId, example }) => {
    const [, before = '', original = '', value = '', after = ''] =
      /^([^]*)\{([^]*)=>([^]*)\}([^]*)$/.exec(example) ?? [];
    const goals: RuleGoal[] = ['consistency', 'simplify'];
    const { suggestions } = await enhanced(before + original + after, { goals });
    expect(suggestions).toMatchObject([{ ruleId, original, start: before.length }]);
    const [made] = suggestions[0]?.replacements ?? [];
    // Hints have no replacement.
    if (ruleId === RULES.ambiguousDate.ruleId) expect(made).toBeUndefined();
    else expect(made?.value).toBe(value);
  });
});
