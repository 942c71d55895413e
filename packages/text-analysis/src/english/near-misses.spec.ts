import { paragraphsOf } from '../paragraphs.js';
import { readingOf } from '../text/reading.js';
import { Dictionaries } from '../spelling/hunspell.js';
import { softwareTerms } from '../spelling/software-terms.js';
import { English } from './english.js';
import { Harper } from './harper.js';

/** Correct English with the words of a rule but another meaning. */
const NEAR_MISSES = [
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
];

/** Mistakes that the same rules must still find. */
const MISTAKES: [string, string, string][] = [
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
];

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
}, 60_000);

async function findingsOf(sentences: readonly string[]) {
  const paragraphs = sentences.flatMap((sentence) => paragraphsOf(sentence, 'plain'));
  const lints = await harper.lintsOf(paragraphs.map((paragraph) => readingOf(paragraph).text));
  const settings = { variant: 'en', terms: [], usedOften: new Set<string>() } as const;
  return paragraphs.flatMap((paragraph, index) =>
    english
      .findingsOf(paragraph, lints[index] ?? [], settings)
      .filter(({ severity }) => severity !== 'style')
      .map((finding) => ({ ...finding, sentence: paragraph.prose })),
  );
}

describe('What looks like a mistake', () => {
  it('is none where the words around it say so', async () => {
    const found = await findingsOf(NEAR_MISSES);
    expect(found.map(({ ruleId, sentence }) => `${ruleId}: ${sentence}`)).toEqual([]);
  }, 60_000);

  it.each(MISTAKES)('is one in %j', async (sentence, original, value) => {
    const found = await findingsOf([sentence]);
    expect(found.map((one) => [one.original, one.replacements[0]?.value])).toContainEqual([
      original,
      value,
    ]);
  });
});
