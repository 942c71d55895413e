import { readFileSync } from 'node:fs';
import { confusedWords } from '@document-service/text-analysis/english/confused-words';
import {
  languageModel,
  type LanguageModel,
} from '@document-service/text-analysis/english/language-model';
import { wordOrderOf } from '@document-service/text-analysis/english/word-order';
import { WordSequence } from '@document-service/text-analysis/english/word-sequence';
import { paragraphsOf } from '@document-service/text-analysis/paragraphs';
import { EnglishSpelling } from '@document-service/text-analysis/spelling/english';
import { englishFrequencies } from '@document-service/text-analysis/spelling/english-frequencies';
import {
  judgedReplacements,
  type LogProbability,
  probabilityOfMistake,
} from '@document-service/text-analysis/spelling/english-judgement';
import { ForeignWords } from '@document-service/text-analysis/spelling/foreign-words';
import { Dictionaries } from '@document-service/text-analysis/spelling/hunspell';
import { softwareTerms } from '@document-service/text-analysis/spelling/software-terms';
import { readingOf } from '@document-service/text-analysis/text/reading';
import { sentencesOfText, type Sentence } from '@document-service/text-analysis/text/text-parts';
import { CORPUS, type Half, percent, pseudoRandom, readmes } from './english.js';

/** Confidence from which a replacement is applied without a review. */
const SAFE = 0.9;
/** Minimum probability of a misspelling that is reported. */
const REPORTED = 0.7;

/** READMEs of our dependencies. Weights and word lists were chosen on the even ones; the odd ones are held out. */
function texts(half: Half): string[] {
  return readmes()
    .filter((_, index) => index % 8 === (half === 'tuned' ? 2 : 5))
    .map((file) => readFileSync(file, 'utf8'))
    .filter((text) => text.length < 40_000);
}

const plainReading = (prose: string) => readingOf({ prose, masked: [] });

/** Paragraphs as rules read them. */
const readingsOf = (text: string) =>
  paragraphsOf(text, 'markdown').map((paragraph) => readingOf(paragraph));

async function openSpelling(): Promise<EnglishSpelling> {
  const dictionaries = await Dictionaries.open();
  const us = await dictionaries.forLanguage('en');
  const gb = await dictionaries.forLanguage('en-GB');
  if (!us || !gb) throw new Error('The English dictionaries are missing.');
  const lexicons = { us, gb, softwareTerms: await softwareTerms(), harperWords: new Set<string>() };
  return new EnglishSpelling(lexicons, await englishFrequencies(), await ForeignWords.load());
}

/** Returns misspellings of words: those of the corpus, and random slips of a key in words of at least four letters. */
function slips(random: () => number): (word: string) => string {
  const known = new Map(
    readFileSync(new URL('misspellings.txt', CORPUS), 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );
  return (word) => {
    const at = 1 + Math.floor(random() * (word.length - 1));
    const letter = String.fromCharCode(97 + Math.floor(random() * 26));
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    const swapped = head.slice(0, -1) + tail.charAt(0) + head.slice(-1) + tail.slice(1);
    const forms = [
      head + tail.slice(1),
      swapped,
      head + letter + tail,
      head + letter + tail.slice(1),
    ];
    return known.get(word) ?? forms[Math.floor(random() * forms.length)] ?? word;
  };
}

interface Choice {
  words: number;
  right: number;
  safe: number;
  safeRight: number;
}

function count(
  choice: Choice,
  meant: string,
  first: { value: string; confidence: number } | undefined,
) {
  const isRight = first?.value === meant;
  choice.words += 1;
  if (isRight) choice.right += 1;
  if ((first?.confidence ?? 0) < SAFE) return;
  choice.safe += 1;
  if (isRight) choice.safeRight += 1;
}

/** Counts how often the first replacement is the intended word, with and without the model. */
function measureChoice(spelling: EnglishSpelling, model: LanguageModel, half: Half) {
  const random = pseudoRandom(11);
  const slip = slips(random);
  const without: Choice = { words: 0, right: 0, safe: 0, safeRight: 0 };
  const withModel: Choice = { ...without };
  for (const { text } of texts(half).flatMap(readingsOf)) {
    const all = [...text.matchAll(/(?<![\p{L}\p{N}'’-])[a-z]{4,}(?![\p{L}\p{N}'’-])/gu)];
    const match = all[Math.floor(random() * all.length)];
    if (!match || text.length < 40 || !spelling.knows(match[0], 'en')) continue;
    const wrong = slip(match[0]);
    if (wrong === match[0] || spelling.isWord(wrong, 'en', () => false)) continue;
    const seeded = text.slice(0, match.index) + wrong + text.slice(match.index + match[0].length);
    const evidence = spelling.evidenceOf(wrong, 'en', new Set());
    const probability = probabilityOfMistake(evidence);
    if (probability < REPORTED) continue;
    const range = { start: match.index, end: match.index + wrong.length };
    const inContext = new WordSequence(plainReading(seeded), model).inPlaceOf(range);
    const first = (context: LogProbability) =>
      judgedReplacements(evidence, probability, context)[0];
    count(
      without,
      match[0],
      first(() => 0),
    );
    count(withModel, match[0], first(inContext));
  }
  return { without, withModel };
}

/** Shuffles the words of each sentence. */
function scrambled(sentences: readonly Sentence[], random: () => number): Sentence[] {
  return sentences.map((sentence) => {
    const keyed = sentence.words.map((word) => ({ word, key: random() }));
    const words = keyed.sort((a, b) => a.key - b.key).map(({ word }) => word);
    return { ...sentence, words, stretches: [words] };
  });
}

/** Compares the word order of texts with that of the same texts with scrambled words. Below 0 lowers a score. */
function measureWordOrder(model: LanguageModel, half: Half) {
  const random = pseudoRandom(13);
  const originals: number[] = [];
  const spoiled: number[] = [];
  for (const text of texts(half)) {
    const sentences = sentencesOfText(paragraphsOf(text, 'markdown'), 'en');
    const before = wordOrderOf(sentences, model);
    const after = wordOrderOf(scrambled(sentences, random), model);
    if (before !== null) originals.push(before);
    if (before !== null && after !== null) spoiled.push(after);
  }
  const share = (values: number[]) => values.filter((value) => value < 0).length / values.length;
  return {
    texts: originals.length,
    lowest: Math.min(...originals),
    highest: Math.max(...spoiled),
    punished: share(originals),
    found: share(spoiled),
  };
}

/** Mistakes to insert: a word, and what it is confused with. */
const CONFUSED = [
  ['there', 'their'],
  ['their', 'there'],
  ['than', 'then'],
  ['from', 'form'],
  ['to', 'too'],
  ['your', "you're"],
  ['its', "it's"],
  ['where', 'were'],
  ['through', 'threw'],
  ['whether', 'weather'],
  ['right', 'write'],
  ['know', 'no'],
] as const;

/** Counts flags in texts as they are, and how many inserted confusions are found. */
function measureConfusions(model: LanguageModel, half: Half) {
  const random = pseudoRandom(17);
  const flags: string[] = [];
  let words = 0;
  let inserted = 0;
  let found = 0;
  for (const reading of texts(half).flatMap(readingsOf)) {
    const { text } = reading;
    const sequence = new WordSequence(reading, model);
    words += sequence.words.length;
    for (const { start, end, replacements } of confusedWords(text, sequence))
      flags.push(
        `${text.slice(Math.max(0, start - 40), start)}⟦${text.slice(start, end)}→${replacements[0]?.value ?? ''}⟧${text.slice(end, end + 30)}`,
      );
    const places = sequence.words.filter(({ lower }) =>
      CONFUSED.some(([right]) => right === lower),
    );
    const place = places[Math.floor(random() * places.length)];
    const [, wrong] = CONFUSED.find(([right]) => right === place?.lower) ?? [];
    if (!place || wrong === undefined) continue;
    const seeded = text.slice(0, place.start) + wrong + text.slice(place.end);
    const spoiled = new WordSequence(plainReading(seeded), model);
    inserted += 1;
    for (const { start, replacements } of confusedWords(seeded, spoiled))
      if (start === place.start && replacements[0]?.value === place.lower) found += 1;
  }
  return { words, flags, inserted, found };
}

/** Returns tables of what the language model of English adds. */
export async function measureLanguageModel(): Promise<string> {
  const spelling = await openSpelling();
  const model = await languageModel();
  const choice: string[] = [];
  const order: string[] = [];
  const confusions: string[] = [];
  const flagged: string[] = [];
  for (const half of ['tuned', 'held out'] as const) {
    const { without, withModel } = measureChoice(spelling, model, half);
    for (const [name, one] of [
      ['without', without],
      ['with', withModel],
    ] as const)
      choice.push(
        `| ${name} | ${half} | ${String(one.words)} | ${percent(one.right / one.words)} | ${String(one.safe)} | ${percent(one.safeRight / one.safe)} |`,
      );
    const words = measureWordOrder(model, half);
    order.push(
      `| ${half} | ${String(words.texts)} | ${words.lowest.toFixed(2)} | ${percent(words.punished)} | ${words.highest.toFixed(2)} | ${percent(words.found)} |`,
    );
    const confused = measureConfusions(model, half);
    const per44 = (confused.flags.length / confused.words) * 44_000;
    confusions.push(
      `| ${half} | ${String(confused.words)} | ${per44.toFixed(1)} | ${String(confused.inserted)} | ${percent(confused.found / confused.inserted)} |`,
    );
    for (const flag of confused.flags) flagged.push(`- ${half}: ${flag.replace(/\s+/g, ' ')}`);
  }
  return `${[
    '| model | half | misspelled words | first right | safe | safe right |',
    '|---|---|---|---|---|---|',
    ...choice,
    '',
    '| half | texts | lowest word order | below 0 | highest of scrambled | below 0 |',
    '|---|---|---|---|---|---|',
    ...order,
    '',
    '| half | words | flags of confused words per 44,000 words | inserted | found |',
    '|---|---|---|---|---|',
    ...confusions,
    '',
    ...flagged,
  ].join('\n')}\n`;
}
