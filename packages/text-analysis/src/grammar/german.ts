import type { Check, Finding, Severity } from '../analysis.js';
import { readSections, wordsIn } from '../data-file.js';
import type { Dictionary } from '../spelling/dictionary.js';
import type { Paragraph } from '../text/prose.js';
import { type Reading, readingOf } from '../text/reading.js';
import { formBit, GermanNouns, PLURAL } from './german-nouns.js';

const LISTS = readSections(import.meta.url, 'german.txt');
const BEFORE_CONJUNCTION = new Set(wordsIn(LISTS, 'before conjunctions'));
const AFTER_CONJUNCTION = new Set(wordsIn(LISTS, 'after conjunctions'));
const SAYING = new Set(wordsIn(LISTS, 'saying'));
const CONTRACTED = new Set(wordsIn(LISTS, 'contracted'));
const BEFORE_PRONOUN = new Set(wordsIn(LISTS, 'before pronouns'));
const BEFORE_DATIVE = new Set(wordsIn(LISTS, 'before datives'));
const TIME = new Set(wordsIn(LISTS, 'time'));

interface GermanRule {
  ruleId: string;
  category: Check;
  severity: Severity;
  explanation: string;
}

const COMMA: GermanRule = {
  ruleId: 'punctuation.german-comma',
  category: 'punctuation',
  severity: 'error',
  explanation:
    'In German, a comma separates a clause that starts with dass, weil, obwohl, sodass, nachdem, sobald, falls or bevor.',
};
const DETERMINER: GermanRule = {
  ruleId: 'grammar.german-determiner',
  category: 'grammar',
  severity: 'warning',
  explanation: 'A German article or pronoun has the gender, number and case of its noun.',
};
const CASE: GermanRule = {
  ruleId: 'grammar.german-case',
  category: 'grammar',
  severity: 'error',
  explanation:
    'Some German prepositions require one case: the dative after aus, bei, mit, nach, von and zu, the accusative after durch, für and gegen.',
};
const DAS: GermanRule = {
  ruleId: 'grammar.das-dass',
  category: 'grammar',
  severity: 'error',
  explanation:
    'After verbs of saying and thinking, the conjunction is dass. The article and the pronoun are das.',
};
const SEIT: GermanRule = {
  ruleId: 'grammar.seid-seit',
  category: 'grammar',
  severity: 'error',
  explanation: 'Seit is about time. Seid is a form of sein: ihr seid.',
};

/** Estimated chance that the first replacement is right. */
const CONFIDENCE = { comma: 0.89, determiner: 0.5, case: 0.69, das: 0.85, seit: 0.85 };

const CONJUNCTIONS = new Set('dass weil obwohl sodass nachdem sobald falls bevor'.split(' '));

/** Endings of determiners by gender and plural, each in the four cases. */
const LIKE_EIN = [
  ['', 'es', 'em', 'en'],
  ['e', 'er', 'er', 'e'],
  ['', 'es', 'em', ''],
  ['e', 'er', 'en', 'e'],
];
const LIKE_DIESER = [
  ['er', 'es', 'em', 'en'],
  ['e', 'er', 'er', 'e'],
  ['es', 'es', 'em', 'es'],
  ['e', 'er', 'en', 'e'],
];
const DEFINITE = [
  ['der', 'des', 'dem', 'den'],
  ['die', 'der', 'der', 'die'],
  ['das', 'des', 'dem', 'das'],
  ['die', 'der', 'den', 'die'],
];

const ARTICLES: ReadonlySet<string> = new Set(DEFINITE.flat());

interface Determiner {
  /** Bits of the genders and cases that the form has. */
  forms: number;
  /** Forms of the same word by gender and case. */
  family: readonly (readonly string[])[];
}

/** Forms that are also pronouns or verbs without a noun: `ihr Kinder`, `einer Geld hat`. */
const OFTEN_ALONE = new Set(
  'ihr sein mein dein euer einer eines keiner keines jeder welcher'.split(' '),
);

const DETERMINERS = determiners();

function determiners(): ReadonlyMap<string, Determiner> {
  const all = new Map<string, Determiner>();
  const add = (family: readonly (readonly string[])[], some: readonly number[]) => {
    for (const gender of some) {
      for (const [index, form] of (family[gender] ?? []).entries()) {
        if (OFTEN_ALONE.has(form)) continue;
        const known = all.get(form) ?? { forms: 0, family };
        known.forms |= formBit(gender, index);
        all.set(form, known);
      }
    }
  };
  const withStem = (stem: string, endings: readonly (readonly string[])[]) =>
    endings.map((forms) => forms.map((ending) => stem + ending));
  const genders = [0, 1, 2, PLURAL];
  add(DEFINITE, genders);
  add(withStem('ein', LIKE_EIN.slice(0, PLURAL)), [0, 1, 2]);
  for (const stem of ['kein', 'mein', 'dein', 'sein', 'ihr', 'unser'])
    add(withStem(stem, LIKE_EIN), genders);
  add(withStem('dies', LIKE_DIESER), genders);
  add(withStem('jed', LIKE_DIESER.slice(0, PLURAL)), [0, 1, 2]);
  // `am Ende jeden Monats`
  const every = all.get('jeden');
  if (every) every.forms |= formBit(0, 1) | formBit(2, 1);
  return all;
}

/** Prepositions with one case. `um`, `ohne` and `seit` also start clauses, so they are not among them. */
const CASE_AFTER: ReadonlyMap<string, number> = new Map([
  ...['mit', 'von', 'zu', 'bei', 'aus', 'nach'].map((word): [string, number] => [word, 2]),
  ...['für', 'durch', 'gegen'].map((word): [string, number] => [word, 3]),
]);

const NOUN = /^\p{Lu}[\p{Ll}-]+(?:\p{Lu}\p{Ll}+)*$/u;
const MAY_BE_ADJECTIVE = /(?:e[nmrs]?|[lr]n)$/u;
const SHORTEST_LAST_PART = 4;
const SHORTEST_FIRST_PART = 3;

interface Token {
  word: string;
  lower: string;
  start: number;
  end: number;
  /** Text between this word and the next one. */
  gap: string;
  startsSentence: boolean;
}

/** Finds mistakes of German grammar and punctuation. */
export class GermanGrammar {
  private constructor(
    private readonly nouns: GermanNouns,
    private readonly dictionary: Dictionary,
  ) {}

  /** Loads the genders of nouns, see `GermanNouns`. `dictionary` is German. */
  static load(dictionary: Dictionary): GermanGrammar {
    return new GermanGrammar(GermanNouns.load(), dictionary);
  }

  /** Returns the findings of a German paragraph, in text order. */
  findingsOf(paragraph: Paragraph): Finding[] {
    const reading = readingOf(paragraph);
    const tokens = tokensOf(reading.text);
    const report = reporter(paragraph, reading);
    const found: (Finding | undefined)[] = [];
    for (const [index, token] of tokens.entries()) {
      const near = {
        beforePrevious: tokens[index - 2],
        previous: tokens[index - 1],
        token,
        next: tokens[index + 1],
      };
      found.push(
        commaBefore(near, report),
        dassAfterSaying(near, report),
        seidOrSeit(near, report),
        this.determiner(near, tokens[index + 2], report),
      );
    }
    return found.filter((one) => one !== undefined);
  }

  /** Finds a determiner that fits no form of the noun after it, or not the case of its preposition. */
  private determiner(
    near: Near,
    afterNext: Token | undefined,
    report: Report,
  ): Finding | undefined {
    const { previous, beforePrevious, token, next } = near;
    const determiner = DETERMINERS.get(token.lower);
    if (!determiner || !next || !isBeforeItsNoun(near, afterNext, report)) return undefined;
    const forms = this.formsOf(next.word);
    if (forms === 0) return undefined;
    const wanted = isPreposition(previous, beforePrevious)
      ? CASE_AFTER.get(previous.lower)
      : undefined;
    if ((determiner.forms & forms) === 0)
      return this.disagreement(determiner, token, next, wanted, report);
    return wanted === undefined ? undefined : wrongCase(near, determiner, forms, wanted, report);
  }

  private disagreement(
    determiner: Determiner,
    token: Token,
    noun: Token,
    wanted: number | undefined,
    report: Report,
  ): Finding | undefined {
    const forms = this.formsOf(noun.word);
    // `das` and `dieses` also stand alone: `Das Leute tun`.
    const isAlone = token.lower === 'das' || token.lower === 'dieses';
    if (isAlone && forms & pluralBits()) return undefined;
    const message = `“${token.word}” does not fit the gender or case of “${noun.word}”.`;
    const genitive = this.genitiveOf(determiner, noun, forms);
    if (genitive !== undefined) {
      const range = { start: token.start, end: noun.end };
      return report(DETERMINER, range, [`${token.word} ${genitive}`], CONFIDENCE.case, message);
    }
    const cases = wanted === undefined ? casesOf(determiner.forms) : [wanted];
    const values = replacementsOf(determiner, token, forms, cases);
    const confidence = wanted === undefined ? CONFIDENCE.determiner : CONFIDENCE.case;
    return report(DETERMINER, token, values, confidence, message);
  }

  /** Returns the genitive of a noun that lacks its ending: `des Benutzer`. */
  private genitiveOf(determiner: Determiner, noun: Token, forms: number): string | undefined {
    const genitives = formBit(0, 1) | formBit(2, 1);
    const nominatives = formBit(0, 0) | formBit(2, 0);
    if (determiner.forms !== genitives || (forms & nominatives) === 0) return undefined;
    return [`${noun.word}s`, `${noun.word}es`].find((form) => this.dictionary.knows(form));
  }

  /** Returns the genders and cases of a noun or of the last part of a compound. */
  private formsOf(word: string): number {
    if (!NOUN.test(word)) return 0;
    const lower = word.charAt(0).toLowerCase() + word.slice(1);
    // Adjectives and verbs that are used as nouns: `das Gute`, `den Kranken`.
    if (MAY_BE_ADJECTIVE.test(word) && this.dictionary.knows(lower)) return 0;
    const own = this.nouns.formsOf(word);
    if (own !== 0 || word.length < SHORTEST_FIRST_PART + SHORTEST_LAST_PART) return own;
    if (!this.dictionary.knows(word)) return 0;
    const hyphen = word.lastIndexOf('-');
    if (hyphen >= 0) return this.nouns.formsOf(word.slice(hyphen + 1));
    // All ways to split it count: `Wirts-tier`, `Wirt-stier`.
    let forms = 0;
    for (let cut = SHORTEST_FIRST_PART; cut <= word.length - SHORTEST_LAST_PART; cut += 1) {
      const part = word.slice(cut);
      const last = this.nouns.formsOf(part.charAt(0).toUpperCase() + part.slice(1));
      if (last === 0 || !this.isFirstPart(word.slice(0, cut))) continue;
      if (MAY_BE_ADJECTIVE.test(part) && this.dictionary.knows(part)) return 0;
      forms |= last;
    }
    return forms;
  }

  private isFirstPart(part: string): boolean {
    return ['', 's', 'es', 'n', 'en'].some(
      (link) =>
        part.endsWith(link) &&
        part.length - link.length >= SHORTEST_FIRST_PART &&
        this.dictionary.knows(part.slice(0, part.length - link.length)),
    );
  }
}

/** A token and its neighbors. */
interface Near {
  beforePrevious: Token | undefined;
  previous: Token | undefined;
  token: Token;
  next: Token | undefined;
}

/** Returns a finding for a token with its replacements, or undefined if it touches a mask. */
interface Report {
  (
    rule: GermanRule,
    range: { start: number; end: number },
    values: readonly string[],
    confidence: number,
    message: string,
  ): Finding | undefined;
  isMasked(token: Token): boolean;
  /** Returns true if the text has only a space between two words, and no markup. */
  isPlainSpace(one: Token, other: Token): boolean;
}

function reporter(paragraph: Paragraph, reading: Reading): Report {
  const report = (
    { ruleId, category, severity, explanation }: GermanRule,
    { start, end }: { start: number; end: number },
    values: readonly string[],
    confidence: number,
    message: string,
  ): Finding | undefined => {
    const range = reading.sourceOf(start, end);
    if (!range) return undefined;
    const original = paragraph.prose.slice(range.start, range.end);
    return {
      ruleId,
      category,
      severity,
      message,
      explanation,
      start: paragraph.start + range.start,
      end: paragraph.start + range.end,
      original,
      replacements: values.map((value, index) => ({
        value,
        confidence: index === 0 ? confidence : Math.round((1 - confidence) * 50) / 100 / index,
      })),
    };
  };
  return Object.assign(report, {
    isMasked: ({ start }: Token) => reading.isMasked(start),
    isPlainSpace: (one: Token, other: Token) => {
      const range = reading.sourceOf(one.start, other.end);
      if (!range) return false;
      return range.end - range.start === other.end - one.start;
    },
  });
}

function commaBefore({ previous, token, next }: Near, report: Report): Finding | undefined {
  if (!CONJUNCTIONS.has(token.word) || !previous || !next) return undefined;
  if (previous.gap !== ' ' || token.gap !== ' ' || !AFTER_CONJUNCTION.has(next.lower))
    return undefined;
  if (BEFORE_CONJUNCTION.has(previous.lower) || NO_CLAUSE_END.test(previous.word)) return undefined;
  if (report.isMasked(previous)) return undefined;
  const gap = { start: previous.end, end: token.start };
  return report(COMMA, gap, [', '], CONFIDENCE.comma, `A comma is missing before “${token.word}”.`);
}

/** A number, or an adverb that belongs to the conjunction: `normalerweise weil`. */
const NO_CLAUSE_END = /\d|(?:weise|lich)$/u;

const SUBJECTS = new Set('ich du er wir man'.split(' '));

function dassAfterSaying(
  { beforePrevious, previous, token, next }: Near,
  report: Report,
): Finding | undefined {
  if (token.word !== 'das' || token.gap !== ' ' || !next || !SUBJECTS.has(next.word))
    return undefined;
  if (previous?.gap !== ', ' || beforePrevious === undefined) return undefined;
  // A noun starts with a capital: `dem Wissen, das ich habe`.
  if (!SAYING.has(previous.startsSentence ? previous.lower : previous.word)) return undefined;
  return report(DAS, token, ['dass'], CONFIDENCE.das, 'This “das” is the conjunction “dass”.');
}

function seidOrSeit({ previous, token, next }: Near, report: Report): Finding | undefined {
  const isTime = next !== undefined && (TIME.has(next.lower) || /^\d/u.test(next.word));
  if (token.lower === 'seid' && token.gap === ' ' && isTime && previous?.lower !== 'ihr') {
    const value = token.word === 'seid' ? 'seit' : 'Seit';
    return report(SEIT, token, [value], CONFIDENCE.seit, 'About time, write “seit”.');
  }
  const startsClause = previous?.startsSentence === true && previous.word === 'Ihr';
  if (token.word !== 'seit' || !startsClause || isTime || next === undefined) return undefined;
  return report(SEIT, token, ['seid'], CONFIDENCE.seit, 'The verb is “seid”.');
}

/** Finds a determiner that fits the noun after it, but not the case of its preposition. */
function wrongCase(
  { beforePrevious, previous, token }: Near,
  determiner: Determiner,
  forms: number,
  wanted: number,
  report: Report,
): Finding | undefined {
  // The comma of a relative clause stands before the preposition: `, mit der Kinder spielen`.
  if (beforePrevious && (beforePrevious.gap !== ' ' || beforePrevious.lower === 'bis'))
    return undefined;
  if (casesOf(determiner.forms & forms).includes(wanted)) return undefined;
  const values = replacementsOf(determiner, token, forms, [wanted]);
  if (values.length === 0) return undefined;
  const message = `“${previous?.word ?? ''}” requires the ${wanted === 2 ? 'dative' : 'accusative'}.`;
  return report(CASE, token, values, CONFIDENCE.case, message);
}

/** Returns true if a word is no determiner after another: `der einen Seite`, `ist das Kunst`, `nützt einem Gesundheit`. */
function isPronounAfter(previous: string, word: string): boolean {
  if (DETERMINERS.has(previous) || CONTRACTED.has(previous)) return true;
  if (word === 'das' || word === 'dieses') return BEFORE_PRONOUN.has(previous);
  return word === 'einem' && !BEFORE_DATIVE.has(previous);
}

/** Returns true if a determiner belongs to the word after it. */
function isBeforeItsNoun(
  { beforePrevious, previous, token, next }: Near,
  afterNext: Token | undefined,
  report: Report,
): boolean {
  if (next === undefined || token.gap !== ' ') return false;
  if (token.word !== token.lower && !token.startsSentence) return false;
  // Emphasis around the noun may be a label: `das **Bildschirm freigeben**-Symbol`.
  if (!report.isPlainSpace(token, next)) return false;
  // Another noun may be the head: `die Debian Pakete`, `die Ein- und Ausgabe`.
  if (afterNext && next.gap === ' ' && /^\p{Lu}/u.test(afterNext.word)) return false;
  if (/^[-‐‑/(„"»]/u.test(next.gap)) return false;
  if (previous?.gap === ' ' && isPronounAfter(previous.lower, token.lower)) return false;
  return !ARTICLES.has(token.lower) || !mayBeRelative(previous, beforePrevious);
}

/** Returns false in fixed phrases: `von Haus aus`, `meiner Meinung nach`, `ab und zu`, `was für ein`. */
function isPreposition(
  previous: Token | undefined,
  beforePrevious: Token | undefined,
): previous is Token {
  if (previous?.gap !== ' ') return false;
  if (previous.lower === 'aus' || previous.lower === 'nach')
    return !previous.startsSentence && !/^\p{Lu}/u.test(beforePrevious?.word ?? '');
  if (previous.lower === 'für') return beforePrevious?.lower !== 'was';
  return previous.lower !== 'zu' || beforePrevious?.lower !== 'und';
}

/** Returns true if `der`, `die` or `das` may start a relative clause: after a comma, or a comma and a preposition. */
function mayBeRelative(previous: Token | undefined, beforePrevious: Token | undefined): boolean {
  if (previous === undefined) return false;
  if (previous.gap !== ' ') return true;
  return beforePrevious !== undefined && beforePrevious.gap !== ' ';
}

function pluralBits(): number {
  return [0, 1, 2, 3].reduce((bits, index) => bits | formBit(PLURAL, index), 0);
}

function casesOf(forms: number): number[] {
  return [0, 1, 2, 3].filter((index) =>
    [0, 1, 2, PLURAL].some((gender) => (forms & formBit(gender, index)) !== 0),
  );
}

/** Returns the forms of a determiner that fit a noun in one of the cases. */
function replacementsOf(
  { family }: Determiner,
  { word }: Token,
  forms: number,
  cases: readonly number[],
): string[] {
  const values = new Set<string>();
  for (const index of cases) {
    for (const gender of family.keys()) {
      const value = family[gender]?.[index];
      if (value === undefined || value === word.toLowerCase()) continue;
      if ((forms & formBit(gender, index)) === 0) continue;
      values.add(
        word === word.toLowerCase() ? value : value.charAt(0).toUpperCase() + value.slice(1),
      );
    }
  }
  return [...values].slice(0, 3);
}

const WORDS = /[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}\p{N}]+)*/gu;

function tokensOf(text: string): Token[] {
  const matches = [...text.matchAll(WORDS)];
  return matches.map((match, index) => {
    const [word] = match;
    const end = match.index + word.length;
    const before = index === 0 ? '' : text.slice(Math.max(0, match.index - 4), match.index);
    return {
      word,
      lower: word.toLowerCase(),
      start: match.index,
      end,
      gap: text.slice(end, matches[index + 1]?.index ?? text.length),
      startsSentence: index === 0 || /[.!?:]["“”»’)]*\s+["„»‚(]*$/u.test(before),
    };
  });
}
