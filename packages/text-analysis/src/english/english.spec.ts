import fc from 'fast-check';
import type { Finding } from '../analysis.js';
import { paragraphsOf } from '../paragraphs.js';
import { codeWords } from '../text/code-words.js';
import { readingOf } from '../text/reading.js';
import { Dictionaries } from '../spelling/hunspell.js';
import { wordUse } from '../spelling/misspellings.js';
import { softwareTerms } from '../spelling/software-terms.js';
import { English, type EnglishSettings } from './english.js';
import { ANALYSIS_RULES } from '../analysis-rules.js';
import { ENGLISH_RULES } from './english-rules.js';
import { Harper } from './harper.js';
import { RULES_WITH_CONFIDENCE } from './rule-confidence.js';

let english: English;
let harper: Harper;

beforeAll(async () => {
  const dictionaries = await Dictionaries.open();
  const [us, gb] = await Promise.all([
    dictionaries.forLanguage('en'),
    dictionaries.forLanguage('en-GB'),
  ]);
  if (!us || !gb) throw new Error('The dictionaries of English are missing.');
  english = await English.load({ us, gb, softwareTerms: await softwareTerms() });
  harper = await Harper.load();
});

async function findingsOf(
  text: string,
  settings: Partial<EnglishSettings> = {},
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const paragraphs = paragraphsOf(text, 'markdown');
  const { frequentWords: usedOften } = wordUse(paragraphs);
  const lints = await harper.lintsOf(paragraphs.map((paragraph) => readingOf(paragraph).text));
  for (const [index, paragraph] of paragraphs.entries()) {
    for (const finding of english.findingsOf(paragraph, lints[index] ?? [], {
      variant: 'en',
      terms: [],
      usedOften,
      inCode: codeWords(text, paragraphs),
      level: 'medium',
      ...settings,
    })) {
      findings.push({
        ...finding,
        start: finding.start + paragraph.start,
        end: finding.end + paragraph.start,
      });
    }
  }
  return findings;
}

const important = (findings: Finding[]) => findings.filter(({ severity }) => severity !== 'style');

describe('English', () => {
  it.each([
    // rule, wrong, passage → replacement, right
    ['spelling.unknown-word', 'We recieve it today.', 'recieve', 'receive', 'We receive it today.'],
    [
      'punctuation.missing-apostrophe',
      'They dont know it.',
      'dont',
      "don't",
      "They don't know it.",
    ],
    ['grammar.could-of', 'He could of won.', 'of', 'have', 'He could, of course, win.'],
    ['grammar.preposition', 'It depends of you.', 'of', 'on', 'It depends on the help of others.'],
    ['grammar.in-on-at-time', 'We met in Monday.', 'in', 'on', 'We met on Monday.'],
    [
      'grammar.since-for',
      'I wait since two hours.',
      'since',
      'for',
      'I have waited since two o’clock.',
    ],
    ['grammar.modal-to', 'You must to go.', 'to ', '', 'You must go to bed.'],
    [
      'grammar.looking-forward-to',
      'I look forward to hear from you.',
      'hear',
      'hearing',
      'I look forward to the summer.',
    ],
    [
      'grammar.explain-to',
      'Please explain me the rule.',
      'me',
      'to me',
      'Please explain the rule to me.',
    ],
    [
      'grammar.listen-to',
      'I listen music at home.',
      'music',
      'to music',
      'I listen to music at home.',
    ],
    [
      'grammar.uncountable',
      'We need informations.',
      'informations',
      'information',
      'We need information.',
    ],
    ['grammar.much-many', 'I have much friends.', 'much', 'many', 'I have much time.'],
    ['grammar.plural-verb', 'The people is friendly.', 'is', 'are', 'The people are friendly.'],
    ['grammar.singular-verb', 'The news are good.', 'are', 'is', 'The news is good.'],
    [
      'grammar.indefinite-pronoun',
      'Everyone know that.',
      'know',
      'knows',
      'Let everyone know that.',
    ],
    ['grammar.one-of', 'One of the servers are down.', 'are', 'is', 'Two of the servers are down.'],
    ['grammar.profession-article', 'She is teacher.', 'teacher', 'a teacher', 'She is a teacher.'],
    ['grammar.lose-loose', 'Do not loose your keys.', 'loose', 'lose', 'The loose ends are tied.'],
    ['grammar.affect-effect', 'It has an affect on us.', 'affect', 'effect', 'It affects us.'],
    [
      'grammar.then-than',
      'It is better then the old one.',
      'then',
      'than',
      'It got better, then worse.',
    ],
    ['grammar.their-there', 'Their is a problem.', 'Their', 'There', 'Their problem is old.'],
    ['grammar.its-its', 'Its a good idea to go.', 'Its', "It's", 'Its idea is good.'],
    [
      'grammar.your-youre',
      'I think your right about it.',
      'your',
      "you're",
      'I think your right hand is bleeding.',
    ],
    ['grammar.too-to', 'It is to expensive for us.', 'to', 'too', 'It went to great lengths.'],
    [
      'grammar.plain-verb',
      'He did not knew it.',
      'knew',
      'know',
      'What he did came as a surprise.',
    ],
    ['grammar.plural-after-number', 'I have two cat.', 'cat', 'cats', 'It has a two car garage.'],
    [
      'grammar.plural-after-one-of',
      'He is one of my friend.',
      'friend',
      'friends',
      'He is one of my friends.',
    ],
    ['grammar.this-these', 'This files are old.', 'This', 'These', 'This may help people.'],
    [
      'grammar.singular-after-each',
      'Every dogs has its day.',
      'dogs',
      'dog',
      'Every two days we meet.',
    ],
    [
      'grammar.verb-of-several',
      'The dogs barks all night.',
      'barks',
      'bark',
      'The dogs bark all night.',
    ],
    [
      'grammar.adverb',
      'He drives very careful.',
      'careful',
      'carefully',
      'He is a careful driver.',
    ],
    ['repetition.word', 'We fixed the the issue.', 'the the', 'the', 'I knew that that was it.'],
    ['casing.weekday', 'We meet on monday.', 'monday', 'Monday', 'We meet on Monday.'],
    ['casing.pronoun-i', 'Today i think so.', 'i', 'I', 'The index i is zero.'],
    ['punctuation.doubled', 'One,, two and three.', ',,', ',', 'One, two and three.'],
    ['grammar.an-a', 'A apple fell.', 'A', 'An', 'An hour later a unanimous vote fell.'],
  ])('%s: %j', async (ruleId, wrong, passage, replacement, right) => {
    const found = (await findingsOf(wrong)).find((finding) => finding.ruleId === ruleId);
    expect(found).toMatchObject({ original: passage });
    expect(found?.replacements[0]?.value).toBe(replacement);
    expect(found?.message).toBeTruthy();
    expect(found?.explanation).toBeTruthy();
    expect(important(await findingsOf(right))).toEqual([]);
  });

  it.each([
    ['wordiness.phrase', 'He ran in order to win.', 'in order to'],
    ['simplicity.word', 'We utilize it.', 'utilize'],
    ['inclusive.term', 'Put it on the whitelist.', 'whitelist'],
    ['passive.voice', 'The door was opened.', 'was opened'],
    ['length.sentence', `${'He ran and '.repeat(15)}fell.`, `${'He ran and '.repeat(15)}fell.`],
  ])('%s is a matter of style', async (ruleId, text, original) => {
    expect(await findingsOf(text)).toContainEqual(
      expect.objectContaining({ ruleId, original, severity: 'style' }),
    );
  });

  it('code, links, variables and markup are never touched, nor a reason', async () => {
    const text =
      'Use `teh dont` and https://x.org/recieve, {{ seperate }} or <b title="teh">this</b>; an `option` is a `thing`.';
    expect(important(await findingsOf(text))).toEqual([]);
  });

  it('a name, an abbreviation, a term of software and a word used three times is no mistake', async () => {
    expect(
      important(
        await findingsOf(
          'I met Jamund Zakas of XTSQ. We use kubernetes. A frobber frobs; the frobber is a frobber.',
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    ['Unfortunatly I cannot come.', 'Unfortunatly', 'Unfortunately'],
    ['Unfortunatly, I cannot come.', 'Unfortunatly', 'Unfortunately'],
    ['# Instalation', 'Instalation', 'Installation'],
    ['## Instalation Guide', 'Instalation', 'Installation'],
    ['## Getting Startd With the Servce', 'Startd', 'Started'],
    ['You nned it.', 'nned', 'need'],
    ['We met last wendesday.', 'wendesday', 'Wednesday'],
    ['It is the goverment’s plan.', 'goverment’s', 'government’s'],
    ['They improved there pronounciation.', 'pronounciation', 'pronunciation'],
    ['I wanted a seperate room.', 'seperate', 'separate'],
    ['The old option is depricated.', 'depricated', 'deprecated'],
    ['The initalization failed.', 'initalization', 'initialization'],
    ['She livs in singapore.', 'singapore', 'Singapore'],
  ])('finds the misspelling in %j', async (text, original, value) => {
    const found = (await findingsOf(text)).find((finding) => finding.original === original);
    expect(found?.replacements[0]?.value).toBe(value);
  });

  it.each([
    'The mayor Camara met Camara Diallo. Camara won, and so did Mr. Trimble.',
    'Romain Beauxis and Markus W. Scherer wrote it for Ms. Plattner.',
    'The functions are monomorphized, memoized and unmarshaled.',
    'We use emacs, psql and libc on debian; the docx file has rgba colors.',
    'I am gonna drive thru the center, and he went to the theatre.',
    'The encodings, lookups and deprecations there’re listed are old.',
    'We stat’ed the file, and that’ll do; they’re OK’d.',
    'The patient had dyspnoea, and the court spoke of estoppel.',
    'Bonjour, said the señor, and muchas gracias.',
    'As they say: uma grande parte dos clientes precisa de um teste independente.',
    '| com | org | asia |\n| --- | --- | --- |\n| Deafultz | Romani | Balkan Romani |',
  ])('finds no misspelling in %j', async (text) => {
    const found = await findingsOf(text);
    expect(
      found.filter(({ category }) => category === 'spelling' || category === 'casing'),
    ).toEqual([]);
  });

  it('a misspelling that no word resembles has no replacements', async () => {
    const found = await findingsOf('The plan is bzqv.');
    expect(found).toContainEqual(
      expect.objectContaining({
        original: 'bzqv',
        replacements: [],
        message: expect.stringContaining('no similar word') as string,
      }),
    );
  });

  it('a word of the text’s code is rather a name than a misspelling', async () => {
    const text = 'Run the shortlog.';
    expect((await findingsOf(text)).map(({ original }) => original)).toEqual(['shortlog']);
    expect(await findingsOf(text, { inCode: new Set(['shortlog']) })).toEqual([]);
  });

  it('only clear misspellings of plain words are certain enough to change unread', async () => {
    const text = 'We recieve it. It is wich. The Rocher is importend. We like pierogi.';
    const confidences = (await findingsOf(text))
      .filter(({ category }) => category === 'spelling')
      .map(({ original, replacements }) => [original, (replacements[0]?.confidence ?? 0) >= 0.9]);
    expect(confidences).toEqual([
      ['recieve', true],
      ['wich', false],
      ['importend', false],
      ['pierogi', false],
    ]);
  });

  it('a variant has its own replacements, whichever text came first', async () => {
    const first = async (variant: EnglishSettings['variant']) =>
      (await findingsOf('The coulour is nice.', { variant }))[0]?.replacements[0]?.value;
    expect([await first('en-US'), await first('en-GB'), await first('en-US')]).toEqual([
      'color',
      'colour',
      'color',
    ]);
  });

  it('both spellings are right until one of them is asked for', async () => {
    const text = 'The colour of the center.';
    expect(important(await findingsOf(text))).toEqual([]);
    expect((await findingsOf(text, { variant: 'en-US' })).map(({ original }) => original)).toEqual([
      'colour',
    ]);
  });

  it('a term of the account silences spelling, grammar and casing where it stands', async () => {
    const text = 'We recieve informations on monday.';
    expect(important(await findingsOf(text))).toHaveLength(3);
    expect(
      important(await findingsOf(text, { terms: ['recieve informations', 'monday'] })),
    ).toEqual([]);
  });

  it('a text before a mistake moves it exactly', async () => {
    const mistake = 'They dont know it.';
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          '😀 ',
          'שלום. ',
          '日本語。',
          'e\u0301 ',
          '**Bold.** ',
          '`code` ',
          '\u200b',
          'A line.\r\n\r\n',
        ),
        async (before) => {
          const found = (await findingsOf(before + mistake)).find(
            ({ original }) => original === 'dont',
          );
          expect(found).toMatchObject({ start: before.length + 5, end: before.length + 9 });
        },
      ),
      { numRuns: 20 },
    );
  });

  it('the same text has the same findings', async () => {
    const text = 'A apple is their. We recieve informations seperately.';
    expect(await findingsOf(text)).toEqual(await findingsOf(text));
  });
});

/** Correct English with the words of a rule but another meaning. */
const NEAR_MISSES = [
  "I'm just sayin' that nothin' works.",
  'He leant across and passed the tahini to the statin salesman.',
  'The old font has a jaggy edge.',
  'We saw the Kennedys last week, omg.',
  'Some servers run systemd.',
  'The dog wagged its tail.',
  'They let loose the hounds at dawn.',
  'She was broke until payday.',
  'There is some good in everybody.',
  'Those idea boards are full.',
  'Each of the servers has its own disk.',
  "Who's there, and whose coat is this?",
  "It's been a long time since its release.",
  'Your going there surprised me.',
  "You're right about your choice.",
  'The loose screw may cause you to lose control.',
  'I look forward to your visit.',
  'He arrived to a warm welcome.',
  'He arrived to find the house empty.',
  'He is good in a crisis.',
  'She was different of late.',
  'They participated at every level.',
  'I was surprised from the start.',
  'We focus in this chapter on memory.',
  'He is responsible of late for everything.',
  'It depends of course on the weather.',
  'The man was afraid for his life.',
  'He was afraid about as much as I was.',
  'She said them all aloud.',
  'What he says matters, and who says it matters more.',
  'Let him go home.',
  'The will to live is strong.',
  'The might of the army was great.',
  'May was a cold month.',
  'One of those who were there told me.',
  'Let everybody have their turn.',
  'Those present were silent.',
  'Those left behind were sad.',
  'These will do.',
  'Those who can, do.',
  'Several of the team left early.',
  'Our teacher come rain or shine walks to school.',
  'If your friend need not pay, neither need you.',
  'The boat ran quiet and deep.',
  'Log in in the morning, and sign up up front.',
  "I can't say nothing happened.",
  "I don't think nobody cares; I think few do.",
  'She was more happy to help than able.',
  'Please explain them in detail.',
  'Listen, people, this matters.',
  'They came to home in on it.',
  'An equipment failure caused it.',
  'A knowledge base helps.',
  'A feedback form is here.',
  'An advice column ran for years.',
  'How much people know depends.',
  'Not much people do surprises me.',
  'Its not-for-profit status helps.',
  'Its very existence is in doubt.',
  'Its only flaw is the price.',
  'Its just reward came late.',
  'Its time has come.',
  'Its own rules apply.',
  'Its a-side is better.',
  'Its hard shell protects it.',
  'Its easy use is a plus.',
  'Its likely cause is unknown.',
  'Its better half is here.',
  'Its true value is not known.',
  'Its important role is clear.',
  'Its clear water is cold.',
  'Its difficult past is over.',
  'Its possible uses are many.',
  'It knew its going rate.',
  'Your right hand is up.',
  'Your very own book is here.',
  'Your not calling upset me.',
  'Your well is dry.',
  'Your working copy is dirty.',
  'Your welcome speech was good.',
  'Your using it helps us.',
  'Your so-called friend lied.',
  'Your looking glass broke.',
  'Your sure touch shows.',
  'And your a-team is on.',
  'Whose there-and-back trip is this?',
  'The man whose next book is due is here.',
  'Whose coming was announced?',
  'People whose not knowing hurt them came.',
  'The team whose ready answer won was there.',
  'They walk passed-out guests home.',
  'Their being late annoyed us.',
  'To many, this is odd.',
  'From few to many.',
  'Say no to drugs.',
  'Cut loose the rope.',
  'Let them loose.',
  'The dog got loose.',
  'They loose arrows.',
  'All ships and loose cargo sank.',
  'The screws come loose.',
  'World peace of mind matters.',
  'Everyday items cost less.',
  "Mind your p's and q's.",
  'Both of these work.',
  'The bridge proved its worth in the flood.',
  'A unary call sends one request.',
  'Store it as PDF/A, see Section 17(a) and item (b).',
  'Appendix A and Table B explain why A is less than B.',
  'He bought an England number three shirt.',
  'The World War two bunker, the chapter seven case and the day one price are examples.',
  'She signed a two-year deal and moved her three-bedroom flat to a nine to five town.',
  'You guys are late, and you two are later.',
  'Between you and me it is hard.',
  'Many act on it, few profit by it, and these signal trouble.',
  'Each wants what the other has, and another states the obvious.',
  'If it were mine, I would sell it, as though it were old.',
  'He suggests that she go, and what I told you is true.',
  'However you do it, keep it cold.',
  'However hard they tried, it stayed shut.',
  'Finally my turn!',
  'In addition to this, he sings.',
  'There is many a slip, and there is a series of steps.',
  'Let her take it and watch it go.',
  'She need not pay, and he need only ask.',
  'A software or hardware failure caused it.',
  'Many software companies and many hardware security tokens fail.',
  'They trod the World Wide Web in the 1990s.',
  'The U.S., the U.K. and Smith et al., who wrote it, agree.',
  'What she did did matter, and those who could could.',
  'Anything I can to help, I will.',
  'The special effects team plans the effects well.',
  'They seized the town, for they had the might of an empire.',
  'Every one of them uses the right hand.',
  'The case was, in the 1980s, a high court matter.',
  'Our sales team, each others’ rivals, met for a while.',
];

/** Mistakes that the same rules must still find. */
const MISTAKES: [string, string, string][] = [
  ['The delays of late deliverys are long.', 'deliverys', 'deliveries'],
  ['We ate the sandwichs in the garden.', 'sandwichs', 'sandwiches'],
  ['They are downloaded automaticly at night.', 'automaticly', 'automatically'],
  ['He slowly opend the door.', 'opend', 'opened'],
  ['The wether was not so good.', 'wether', 'weather'],
  ['I asked wether he comes.', 'wether', 'whether'],
  ['When the men came, they was rude.', 'was', 'were'],
  ['The childrens spend hours outside.', 'childrens', 'children'],
  ['Its a nice day.', 'Its', "It's"],
  ['Its important to test.', 'Its', "It's"],
  ['Its very important that you come.', 'Its', "It's"],
  ['I think its going to rain.', 'its', "it's"],
  ['Your welcome.', 'Your', "You're"],
  ['If your interested in this, write to us.', 'your', "you're"],
  ['Let me know if your ready.', 'your', "you're"],
  ['Whose going to pay?', 'Whose', "Who's"],
  ['They could of come.', 'of', 'have'],
  ['He said me the truth.', 'said', 'told'],
  ['Can you explain me why?', 'me', 'to me'],
  ['She is afraid from dogs.', 'from', 'of'],
  ['She is married with an engineer.', 'with', 'to'],
  ['He arrived to the airport.', 'to', 'at'],
  ['He gave me an advice.', 'an advice', 'advice'],
  ['Much people think so.', 'Much', 'Many'],
  ['Lets go to the park.', 'Lets', "Let's"],
  ['It is older then the other one.', 'then', 'than'],
  ['However we decided to stay.', 'However', 'However,'],
  ['In my opinion it is too late.', 'opinion', 'opinion,'],
  ['There is many problems with it.', 'is', 'are'],
  ['I think there was some chairs left.', 'was', 'were'],
  ['He want to buy a car.', 'want', 'wants'],
  ['They have already went home.', 'went', 'gone'],
  ['I have never saw it.', 'saw', 'seen'],
  ["I didn't saw him.", 'saw', 'see'],
  ["She don't like it.", "don't", "doesn't"],
  ['She don’t like it.', 'don’t', 'doesn’t'],
  ['They’re sure that he dont know.', 'dont', 'don’t'],
  ['He waited for a hour.', 'a', 'an'],
  ['We went to to the bank.', 'to to', 'to'],
  ['He is more taller than me.', 'more taller', 'taller'],
];

/** Important findings in sentences that are read together. */
async function findingsInAll(sentences: readonly string[]) {
  const paragraphs = sentences.flatMap((sentence) => paragraphsOf(sentence, 'plain'));
  const lints = await harper.lintsOf(paragraphs.map((paragraph) => readingOf(paragraph).text));
  const settings = {
    variant: 'en',
    terms: [],
    usedOften: new Set<string>(),
    inCode: new Set<string>(),
    level: 'medium',
  } as const;
  return paragraphs.flatMap((paragraph, index) =>
    english
      .findingsOf(paragraph, lints[index] ?? [], settings)
      .filter(({ severity }) => severity !== 'style')
      .map((finding) => ({ ...finding, sentence: paragraph.prose })),
  );
}

describe('What looks like a mistake', () => {
  it('is none where the words around it say so', async () => {
    const found = await findingsInAll(NEAR_MISSES);
    expect(found.map(({ ruleId, sentence }) => `${ruleId}: ${sentence}`)).toEqual([]);
  }, 60_000);

  it.each(MISTAKES)('is one in %j', async (sentence, original, value) => {
    const found = await findingsInAll([sentence]);
    expect(found.map((one) => [one.original, one.replacements[0]?.value])).toContainEqual([
      original,
      value,
    ]);
  });
});

describe('Of two findings in the same passage', () => {
  it.each([
    // A name is longer than its first word, which has a rule of its own.
    ['He grew up in british columbia.', 'casing.canada', 'british columbia', 'British Columbia'],
    ['She was born in kuala lumpur.', 'casing.malaysia', 'kuala lumpur', 'Kuala Lumpur'],
    // Passive voice is a matter of style, even if a lower level hides it.
    [
      'There is an argument to be said for it.',
      'grammar.argument-to-be-made',
      'argument to be said',
      'argument to be made',
    ],
    // A rule explains more than a comparison of frequencies.
    ['Please turn it of at night.', 'spelling.turn-it-off', 'turn it of', 'turn it off'],
  ])('the better one is reported in %j', async (text, ruleId, original, value) => {
    for (const level of ['medium', 'high'] as const) {
      const found = await findingsOf(text, { level });
      expect(found.map((one) => one.ruleId)).toEqual([ruleId]);
      expect(found[0]).toMatchObject({ original, replacements: [{ value }] });
    }
  });
});

describe('The confidence of a replacement', () => {
  it.each([
    ['She fixed the the car.', 0.92],
    ['They dont know it.', 0.92],
    ['We need informations.', 0.92],
    ['However we decided to stay.', 0.85],
    ['Today i think so.', 0.85],
    ['We met in Monday.', 0.69],
    ['He waited for a hour.', 0.61],
  ])('of %j is the measured chance of its rule', async (text, confidence) => {
    const [found] = important(await findingsOf(text));
    expect(found?.replacements[0]?.confidence).toBe(confidence);
  });

  it('is only known for rules that exist', () => {
    const ids = new Set(ANALYSIS_RULES.map(({ id }) => id));
    expect(RULES_WITH_CONFIDENCE.filter((ruleId) => !ids.has(ruleId))).toEqual([]);
  });
});

describe('The words around a misspelled word', () => {
  it.each([
    ['You can alsk use the function.', 'alsk', 'also'],
    ['You may alsk him about it.', 'alsk', 'ask'],
    ['We start from the current poin on the map.', 'poin', 'point'],
    ['She felt a sharp poin in her leg.', 'poin', 'pain'],
    ['It explains why the choise is not available.', 'choise', 'choice'],
    ['These steps are much faster thtn the others.', 'thtn', 'than'],
  ])('decide between its replacements in %j', async (sentence, word, value) => {
    const found = (await findingsOf(sentence)).find(({ original }) => original === word);
    expect(found?.replacements[0]?.value).toBe(value);
    // Only certain replacements are offered alone.
    expect(found?.replacements[0]?.confidence).toBeLessThan(0.9);
  });

  it('leave a certain replacement certain', async () => {
    const [found] = await findingsOf('We will recieve the letter tomorrow.');
    expect(found?.replacements[0]).toEqual({ value: 'receive', confidence: 0.95 });
  });
});

describe('The example of a rule', () => {
  it.each(ENGLISH_RULES.map(({ ruleId, example, severity }) => [ruleId, example, severity]))(
    '%s is found in %j and nothing else is wrong there',
    async (ruleId, example, severity) => {
      const { text, edits } = parseExample(example);
      const found = await findingsOf(text);
      const shown = severity === 'style' ? found : important(found);
      expect(
        shown.map(({ ruleId, start, end, replacements }) => ({
          ruleId,
          start,
          end,
          value: replacements[0]?.value ?? '',
        })),
      ).toEqual(edits.map((edit) => ({ ruleId, ...edit })));
    },
  );
});

/** Parses `She {go=>goes} home.` */
function parseExample(example: string) {
  let text = '';
  const edits: { start: number; end: number; value: string }[] = [];
  for (const part of example.split(/(?=\{)|(?<=\})/)) {
    const [, wrong, value = ''] = /^\{(.*)=>(.*)\}$/.exec(part) ?? [];
    if (wrong !== undefined)
      edits.push({ start: text.length, end: text.length + wrong.length, value });
    text += wrong ?? part;
  }
  return { text, edits };
}
