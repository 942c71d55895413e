import { readingOf } from '../text/reading.js';
import { englishFrequencies } from '../spelling/english-frequencies.js';
import { languageModel } from './language-model.js';
import { wordKnowledge, type WordKnowledge } from './tagged-rule.js';
import { taggedFindings } from './tagged-rules.js';
import { Tagger } from './tagger.js';
import { VERB_RULES } from './verb-rules.js';

let tagger: Tagger;
let words: WordKnowledge;

beforeAll(async () => {
  tagger = await Tagger.load();
  words = wordKnowledge((await englishFrequencies()).frequencies, await languageModel());
});

const IDS = new Set(VERB_RULES.map(({ ruleId }) => ruleId));

/** Returns the findings of rules about verbs, as `original → first replacement`. */
function findingsOf(text: string): string[] {
  return taggedFindings(tagger.tokensOf(readingOf({ prose: text, masked: [] })), words)
    .filter(({ ruleId }) => IDS.has(ruleId))
    .map(
      ({ start, end, replacements }) =>
        `${text.slice(start, end)} → ${replacements[0]?.value ?? ''}`,
    );
}

describe('The form of a verb', () => {
  it.each([
    ['They would argues that it is late.', 'argues → argue'],
    ["I didn't expected that.", 'expected → expect'],
    ['She can improved her English.', 'improved → improve'],
    ['They want buy gas.', 'buy → to buy'],
    ['She is able do it.', 'do → to do'],
    ['The chef will be recognize by all.', 'recognize → recognized'],
    ['It has been create by them.', 'create → created'],
    ['I seen him yesterday.', 'seen → saw'],
    ['He gone home late.', 'gone → went'],
    ['We have arrive late.', 'arrive → arrived'],
    ['She has already forget it.', 'forget → forgotten'],
    ['You must to install it.', 'to install → install'],
  ])('is wrong in %j', (text, finding) => {
    expect(findingsOf(text)).toContain(finding);
  });

  it.each([
    ['A chef that try new things is good.', 'try → tries'],
    ['Everyone who have arrived is here.', 'have → has'],
    ['The learner tend to forget.', 'tend → tends'],
    ['The teacher do not agree.', 'do → does'],
    ['He or she have learned a lot.', 'have → has'],
    ['Young people feels a lack of sleep.', 'feels → feel'],
    ['Millions of people dies every year.', 'dies → die'],
    ['The goal that he want is far.', 'want → wants'],
  ])('does not agree with its subject in %j', (text, finding) => {
    expect(findingsOf(text)).toContain(finding);
  });

  it.each([
    ["I don't thing so.", 'thing → think'],
    ['We can safe time.', 'safe → save'],
    ['If you success in that, tell me.', 'success → succeed'],
    ["The dog who's bark is loud sleeps.", "who's → whose"],
  ])('has another word in its place in %j', (text, finding) => {
    expect(findingsOf(text)).toContain(finding);
  });

  it.each([
    'He suggested that she go home.',
    'Had he known that, he would have come.',
    'The things they have seen are bad.',
    'The tools we have allow us to go.',
    'The cat and the dog have eaten.',
    'The following have been found.',
    'Functions given before the handler have another task.',
    'Does the teacher have a book?',
    'They let the teacher have a book.',
    'A couple who have children need space.',
    'One of those who have arrived is here.',
    'The can opened by itself.',
    'Against his will he agreed.',
    'They did all that they should to help us.',
    'This is a must to see.',
    'It is safe for the children.',
    'I wish you success in your work.',
    'It may be safe water.',
    "The man who's here is my uncle.",
    'What people want happens.',
    'Each of the students thinks about it.',
    'It is important that a person who wants it asks.',
    'They will be able to come.',
    'All you need to be is kind.',
  ])('is right in %j', (text) => {
    expect(findingsOf(text)).toEqual([]);
  });
});
