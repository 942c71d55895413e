import type { Check, Finding, Replacement, SuggestionLevel, TextRange } from '../analysis.js';
import type { Paragraph } from '../text/prose.js';
import { readingOf, type Reading } from '../text/reading.js';
import { EnglishSpelling, type EnglishLexicons, type EnglishVariant } from '../spelling/english.js';
import { knownMistake } from '../spelling/english-candidates.js';
import {
  englishFrequencies,
  SUBTITLE_WORDS,
  type EnglishFrequencies,
} from '../spelling/english-frequencies.js';
import {
  hasNoClearReplacement,
  isAbbreviation,
  isMistakeDespiteCapital,
  judgedReplacements,
  probabilityOfMistake,
  type LogProbability,
} from '../spelling/english-judgement.js';
import { ForeignWords } from '../spelling/foreign-words.js';
import { WordPlaces, type WordPlace } from '../spelling/word-places.js';
import { spelledWords } from '../spelling/words.js';
import { tooManyUnknown } from '../spelling/misspellings.js';
import { linesIn, readSections, wordsIn } from '../data-file.js';
import { confusedWords } from './confused-words.js';
import type { Draft } from './draft.js';
import { type LanguageModel, languageModel } from './language-model.js';
import { PHRASE_RULES } from './phrase-rules.js';
import { withConfidence } from './rule-confidence.js';
import { capitalsAfterCommas, smallSentenceStarts, smallStarts } from './sentence-case.js';
import { styleFindings } from './style-rules.js';
import { wordKnowledge } from './tagged-rule.js';
import { taggedFindings } from './tagged-rules.js';
import { Tagger } from './tagger.js';
import { likeCase } from './word-forms.js';
import { WordSequence } from './word-sequence.js';
import type { HarperLint } from './harper.js';
import { isHarpersFalseFriend } from './harper-false-friends.js';

/** Settings that decide the findings of a paragraph. */
export interface EnglishSettings {
  variant: EnglishVariant;
  /** Words and phrases of the account's dictionary. Findings that touch one are dropped. */
  terms: readonly string[];
  /** Words that the whole text uses at least three times, in lower case. They are terms rather than mistakes. */
  usedOften: ReadonlySet<string>;
  /** Words that the code of the text contains, in lower case. */
  inCode: ReadonlySet<string>;
  /** Decides how likely a misspelling must be. */
  level: SuggestionLevel;
  /** All checks if missing. */
  checks?: ReadonlySet<Check>;
  /** Ids of rules that report nothing. None if missing. */
  disabled?: ReadonlySet<string>;
  /** Reports what was left out. */
  warn?: (warning: string) => void;
}

/** Maximum number of unknown words to check in one paragraph: as many as an analysis lists. Each takes about 0.5 ms. */
const MOST_UNKNOWN = 2_000;

/** Minimum uses in 50 million words of a word that is no command or name: `we`, but not `npm`. */
const LEAST_COMMON = 2_000;

/** Minimum probability of a misspelling to report. Chosen on texts with marked mistakes. */
const MISSPELLED: Readonly<Record<SuggestionLevel, number>> = { low: 0.7, medium: 0.7, high: 0.6 };
/**
 * Common words of other languages in a paragraph, if they are a third of its unknown words: from the first number, they
 * are a quotation; from the second, the paragraph is mostly in another language.
 */
const SOME_FOREIGN = 2;
const MANY_FOREIGN = 5;
/** Confidence in the capital of a name that is written in lower case. */
const PROPER_NAME = 0.8;

interface UnknownWord extends TextRange {
  word: string;
  place: WordPlace;
}

/**
 * Yields words that are rarer in subtitles than elsewhere, such as `parameter` and `deprecated`, with their uses in as many
 * words.
 */
function* wordsBesideSubtitles(
  model: LanguageModel,
  { frequencies }: EnglishFrequencies,
): Generator<[string, number]> {
  for (const word of model.words) {
    const uses = Math.exp(model.logProbability(model.idOf(word))) * SUBTITLE_WORDS;
    if (/^[a-z']{2,}$/.test(word) && uses > (frequencies.get(word) ?? 0)) yield [word, uses];
  }
  for (const line of linesIn(readSections(import.meta.url, 'technical-words.txt'), '')) {
    const [word = '', uses] = line.split(' ');
    yield [word, Number(uses)];
  }
}

/** Finds mistakes in English, including those that Harper finds. Deterministic. Loads its packages once, about 70 MB. */
export class English {
  private constructor(
    private readonly tagger: Tagger,
    private readonly spelling: EnglishSpelling,
    private readonly frequencies: ReadonlyMap<string, number>,
    private readonly model: LanguageModel,
  ) {}

  static async load(lexicons: Omit<EnglishLexicons, 'harperWords'>): Promise<English> {
    const [tagger, english, foreign, model] = await Promise.all([
      Tagger.load(),
      englishFrequencies(),
      ForeignWords.load(),
      languageModel(),
    ]);
    const harperWords = new Set(
      ['harper-words.txt', 'other-words.txt'].flatMap((file) =>
        wordsIn(readSections(import.meta.url, file), ''),
      ),
    );
    const frequencies = new Map([...english.frequencies, ...wordsBesideSubtitles(model, english)]);
    const statistics = { ...english, frequencies };
    const spelling = new EnglishSpelling({ ...lexicons, harperWords }, statistics, foreign);
    return new English(tagger, spelling, english.frequencies, model);
  }

  /**
   * Returns findings in order, with ranges relative to the paragraph. `lints` are Harper's findings in this reading.
   * Findings do not overlap, except for those about whole sentences.
   */
  findingsOf(
    paragraph: Paragraph,
    lints: readonly HarperLint[],
    settings: EnglishSettings,
  ): Finding[] {
    const reading = readingOf(paragraph);
    const silenced = new Cover(paragraph.prose.length);
    for (const range of termRanges(paragraph.prose, settings.terms)) silenced.add(range);
    const findings: Finding[] = [];
    const asTyped = usesCurlyApostrophes(reading.text)
      ? (value: string) => value.replaceAll("'", '’')
      : (value: string) => value;
    const starts = smallStarts(reading, paragraph.kind);
    const asPlaced = (start: number, value: string) =>
      asTyped(starts.has(start) ? likeCase('A', value) : value);
    for (const draft of this.draftsOf(reading, paragraph.kind, lints, settings, starts)) {
      if (!isOn(draft, settings)) continue;
      const range = reading.sourceOf(draft.start, draft.end);
      if (!range || (range.start === range.end && draft.replacements.length === 0)) continue;
      if (silenced.touches(range)) continue;
      findings.push({
        ...draft,
        ...range,
        replacements: draft.replacements.map(({ value, confidence }) => ({
          value: asPlaced(draft.start, value),
          confidence,
        })),
        original: paragraph.prose.slice(range.start, range.end),
      });
    }
    return withoutOverlaps(findings, paragraph.prose.length);
  }

  /**
   * Yields the findings of all rules. The first of several about the same passage is reported. `starts` are those of
   * sentences with a small letter.
   */
  private *draftsOf(
    reading: Reading,
    kind: Paragraph['kind'],
    lints: readonly HarperLint[],
    settings: EnglishSettings,
    starts: ReadonlySet<number>,
  ): Generator<Draft> {
    const tokens = this.tagger.tokensOf(reading);
    const words = wordKnowledge(this.frequencies, this.model);
    const sequence = new WordSequence(reading, this.model);
    yield* taggedFindings(tokens, words);
    yield* phraseFindings(reading.text);
    yield* this.misspellings(reading, kind, sequence, settings);
    for (const lint of lints)
      if (isReported(lint, reading, words.frequency)) yield draftOf(lint, reading.text);
    yield* styleFindings(reading.text, tokens);
    yield* confusedWords(reading.text, sequence);
    const isCommon = (word: string) => words.frequency(word) >= LEAST_COMMON;
    yield* smallSentenceStarts(reading.text, starts, isCommon);
    yield* capitalsAfterCommas(reading.text);
  }

  private *misspellings(
    reading: Reading,
    kind: Paragraph['kind'],
    sequence: WordSequence,
    settings: EnglishSettings,
  ): Generator<Draft> {
    const unknown = this.unknownWords(reading, kind, settings);
    for (const { word, place, start, end } of this.withoutQuotations(unknown)) {
      const draft = this.misspelling(word, place, settings, sequence.inPlaceOf({ start, end }));
      if (draft) yield { ...draft, start, end };
    }
  }

  /** Returns the words that no dictionary knows, except terms of the text or the account. */
  private unknownWords(
    reading: Reading,
    kind: Paragraph['kind'],
    { variant, terms, usedOften, warn }: EnglishSettings,
  ): UnknownWord[] {
    const isTerm = (word: string) => terms.includes(word);
    const isWord = (word: string) => this.spelling.isWord(word, variant, isTerm);
    const words = spelledWords(reading.text, 'en').filter(
      ({ start, end }) => !reading.isMasked(start) && !reading.isMasked(end - 1),
    );
    // Frequent words that no dictionary knows are terms of the text, also in other forms.
    let termStems: ReadonlySet<string> | undefined;
    const isTermOfText = (word: string) => {
      termStems ??= new Set([...usedOften].filter((one) => !isWord(one)).map(stemOf));
      return termStems.has(stemOf(word));
    };
    const places = new WordPlaces(reading.text, kind);
    const unknown: UnknownWord[] = [];
    for (const range of this.spelling.unknownWords(words, variant, isTerm)) {
      const word = reading.text.slice(range.start, range.end);
      const place = places.of(range);
      if (place === undefined) continue;
      const lower = word.toLowerCase();
      // A term of the text may be a common mistake.
      if (knownMistake(lower) === undefined && isTermOfText(lower)) continue;
      if (isDialect(word, reading.text.slice(range.end, range.end + 2)) && isWord(`${word}g`))
        continue;
      if (unknown.length === MOST_UNKNOWN) {
        warn?.(tooManyUnknown(MOST_UNKNOWN));
        break;
      }
      unknown.push({ ...range, word, place });
    }
    return unknown;
  }

  /** Leaves out words of a quotation in another language, or all words if the paragraph is mostly in one. */
  private withoutQuotations(unknown: readonly UnknownWord[]): readonly UnknownWord[] {
    const foreign = new Set(unknown.filter(({ word }) => this.spelling.isForeign(word)));
    if (foreign.size < SOME_FOREIGN || foreign.size * 3 < unknown.length) return unknown;
    return foreign.size >= MANY_FOREIGN ? [] : unknown.filter((one) => !foreign.has(one));
  }

  private misspelling(
    word: string,
    place: WordPlace,
    { variant, inCode, level }: EnglishSettings,
    logProbability: LogProbability,
  ): Omit<Draft, 'start' | 'end'> | undefined {
    const evidence = this.spelling.evidenceOf(word, variant, inCode);
    const name = evidence.isKnownMistake ? undefined : this.spelling.properName(word, variant);
    // A label of one word is often a key, such as the domain `asia`.
    if (name !== undefined) return place === 'lower-case' ? properName(word, name) : undefined;
    const probability = probabilityOfMistake(evidence);
    const isMistake =
      evidence.isKnownMistake ||
      (probability >= MISSPELLED[level] &&
        !isAbbreviation(evidence) &&
        !hasNoClearReplacement(evidence, probability));
    if (!isMistake) return undefined;
    if (place !== 'lower-case' && !isMistakeDespiteCapital(evidence, place)) return undefined;
    return misspelling(
      word,
      judgedReplacements(evidence, probability, logProbability).map(({ value, confidence }) => ({
        value: likeCase(word, word.includes('’') ? value.replaceAll("'", '’') : value),
        confidence,
      })),
    );
  }
}

/** Returns true for dialect in dialogue, such as `sayin'`. `after` is the text after the word. */
function isDialect(word: string, after: string): boolean {
  return /in$/i.test(word) && /^['’](?!\w)/.test(after);
}

function misspelling(word: string, replacements: Replacement[]): Omit<Draft, 'start' | 'end'> {
  return {
    ruleId: 'spelling.unknown-word',
    category: 'spelling',
    severity: 'error',
    message:
      replacements.length > 0
        ? `"${word}" may be misspelled.`
        : `"${word}" is not in the dictionary, and no similar word is.`,
    explanation:
      'This word is not in the American or British dictionary. If it is correct, add it to your account’s dictionary.',
    replacements,
  };
}

function properName(word: string, name: string): Omit<Draft, 'start' | 'end'> {
  return {
    ruleId: 'casing.proper-name',
    category: 'casing',
    severity: 'error',
    message: `Names start with a capital letter: "${name}".`,
    explanation:
      'The dictionary contains this word only with a capital letter. If the lower-case spelling is correct, add it to your account’s dictionary.',
    replacements: [{ value: name, confidence: PROPER_NAME }],
  };
}

/** Returns `frob` for `frobs`, `frobbed`, `frobbing` and `frobbers`. */
function stemOf(word: string): string {
  return word.replace(/(?:['’]?s|e[dr]s?|es|ing)$/, '').replace(/(.)\1$/, '$1');
}

function* phraseFindings(text: string): Generator<Draft> {
  for (const rule of PHRASE_RULES) {
    for (const match of text.matchAll(rule.pattern)) {
      const range = findRange(rule.pattern, text, match);
      const values = rule.replace(match.groups ?? {}, text.slice(range.start, range.end));
      // A missing word is reported at the word after it.
      const word =
        range.start === range.end
          ? (/^\S+/.exec(text.slice(range.start, range.start + 60))?.[0] ?? '').replace(
              /[.,;:!?)]+$/,
              '',
            )
          : '';
      yield {
        start: range.start,
        end: range.end + word.length,
        ruleId: rule.ruleId,
        category: rule.category,
        severity: rule.severity,
        message: rule.message,
        explanation: rule.explanation,
        replacements: withConfidence(
          rule.ruleId,
          values.map((value) => value + word),
        ),
      };
    }
  }
}

const withIndices = new Map<RegExp, RegExp>();

/** Returns the range of the group `find` of a match. Group indices are slow, so they are only computed for matches. */
function findRange(pattern: RegExp, text: string, match: RegExpExecArray): TextRange {
  const whole = { start: match.index, end: match.index + match[0].length };
  if (match.groups?.find === undefined) return whole;
  let exact = withIndices.get(pattern);
  if (!exact) {
    exact = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}dy`);
    withIndices.set(pattern, exact);
  }
  exact.lastIndex = match.index;
  const find = exact.exec(text)?.indices?.groups?.find;
  return find ? { start: find[0], end: find[1] } : whole;
}

/** Returns the ranges of dictionary terms, as whole words in any case. */
function termRanges(prose: string, terms: readonly string[]): TextRange[] {
  if (terms.length === 0) return [];
  const ranges: TextRange[] = [];
  const lower = prose.toLowerCase();
  for (const term of terms) {
    const wanted = term.trim().toLowerCase();
    if (wanted === '' || lower.length !== prose.length) continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      const end = at + wanted.length;
      const isWhole =
        !/[\p{L}\p{N}]$/u.test(lower.slice(Math.max(0, at - 2), at)) &&
        !/^[\p{L}\p{N}]/u.test(lower.slice(end, end + 2));
      if (isWhole) ranges.push({ start: at, end });
    }
  }
  return ranges;
}

/** Returns true if a finding of Harper is reported. */
function isReported(
  lint: HarperLint,
  reading: Reading,
  frequency: (word: string) => number,
): boolean {
  const { text } = reading;
  // A neighbor that stands for code proves nothing.
  if (reading.isMasked(lint.start - 2) || reading.isMasked(lint.end + 1)) return false;
  // A part of a compound: "co-operative system", "the re-introduction".
  if (/[-‑]/.test(text.charAt(lint.start - 1) + text.charAt(lint.end))) return false;
  const passage = text.slice(lint.start, lint.end);
  const [first = ''] = lint.replacements;
  // The index i is not a pronoun.
  if (/(?:^|\s)i\s+$/.test(text.slice(Math.max(0, lint.start - 4), lint.start))) return false;
  // Does not correct names and words in capitals to common words.
  if (/\p{Lu}{3,}/u.test(passage)) return false;
  if (lint.replacements.length > 0 && first.trim() === passage.trim()) return false;
  return !isHarpersFalseFriend(lint, text, frequency);
}

const AGREEING: Readonly<Record<string, (pronoun: string) => string>> = {
  is: (pronoun) => (pronoun === 'i' ? 'am' : 'are'),
  was: () => 'were',
  has: () => 'have',
  does: () => 'do',
  are: (pronoun) => (pronoun === 'i' ? 'am' : 'is'),
  were: () => 'was',
};

/** Returns replacements for lints that have none. */
function ownReplacements(lint: HarperLint, text: string): string[] {
  if (lint.replacements.length > 0 || lint.rule.name !== 'PronounVerbAgreement')
    return lint.replacements;
  const pronoun =
    /(\w+)\s+$/.exec(text.slice(Math.max(0, lint.start - 12), lint.start))?.[1]?.toLowerCase() ??
    '';
  const right = AGREEING[text.slice(lint.start, lint.end).toLowerCase()]?.(pronoun);
  return right === undefined ? [] : [right];
}

/** Messages for Harper's rules that find most mistakes, by rule and first replacement. */
const OWN_MESSAGES: Readonly<Record<string, (value: string) => string>> = {
  AnA: (value) =>
    /n$/i.test(value) ? 'Use "an" before a vowel sound.' : 'Use "a" before a consonant sound.',
  PronounVerbAgreement: (value) => `The verb must agree with the pronoun: use "${value}".`,
  PronounInflectionBe: (value) => `The verb must agree with the pronoun: use "${value}".`,
  SimplePastToPastParticiple: (value) => `Use the past participle "${value}" here.`,
};

function draftOf(lint: HarperLint, text: string): Draft {
  const { rule } = lint;
  const passage = text.slice(lint.start, lint.end);
  // Harper suggests "AN" for a capital "A".
  const asWritten = (value: string) =>
    rule.name === 'AnA' ? likeCase(passage, value.toLowerCase()) : value;
  const replacements = ownReplacements(lint, text).slice(0, 5).map(asWritten);
  const [first] = replacements;
  return {
    start: lint.start,
    end: lint.end,
    ruleId: rule.ruleId,
    category: rule.category,
    severity: rule.severity,
    message: (first && OWN_MESSAGES[rule.name]?.(first)) ?? lint.message,
    explanation: rule.explanation,
    replacements: withConfidence(rule.ruleId, replacements),
  };
}

function isOn({ category, ruleId }: Draft, { checks, disabled }: EnglishSettings): boolean {
  return (!checks || checks.has(category)) && !disabled?.has(ruleId);
}

function usesCurlyApostrophes(text: string): boolean {
  return /\p{L}’\p{L}/u.test(text) && !/\p{L}'\p{L}/u.test(text);
}

/** Tracks which units of a paragraph are covered. */
class Cover {
  private readonly units: Uint8Array;

  constructor(length: number) {
    this.units = new Uint8Array(length);
  }

  add({ start, end }: TextRange): void {
    this.units.fill(1, start, end);
  }

  touches({ start, end }: TextRange): boolean {
    return this.units.subarray(start, end).includes(1);
  }
}

/**
 * Keeps one of two overlapping findings: the one of the lower rank, or else the shorter one, because it is more precise.
 * Findings about long sentences stay.
 */
function withoutOverlaps(findings: Finding[], length: number): Finding[] {
  const cover = new Cover(length);
  const ranked = [...findings].sort(
    (a, b) => rankOf(a) - rankOf(b) || lengthOf(a) - lengthOf(b) || a.start - b.start,
  );
  const kept = ranked.filter((finding) => {
    if (finding.category === 'length') return true;
    if (cover.touches(finding)) return false;
    cover.add(finding);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Returns 0 for names of several words, 1 for other mistakes, 2 for guesses by frequency, 3 and 4 for matters of style. */
function rankOf({ ruleId, category, severity, original }: Finding): number {
  // Other rules know only a word of names such as `british columbia`, or none.
  if (category === 'casing' && /\S\s+\S/.test(original)) return 0;
  if (ruleId === 'grammar.confused-word') return 2;
  if (category === 'passive') return 4;
  return severity === 'style' ? 3 : 1;
}

function lengthOf({ start, end }: TextRange): number {
  return end - start;
}
