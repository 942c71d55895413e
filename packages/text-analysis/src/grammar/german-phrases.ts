import type { Finding } from '../analysis.js';
import { readSections, wordsIn } from '../data-file.js';
import type { Dictionary } from '../spelling/dictionary.js';
import { formBit, type GermanNouns, PLURAL } from './german-nouns.js';
import type { GermanRule, GermanText, Token } from './german-text.js';

const LISTS = readSections(import.meta.url, 'german.txt');
const BEFORE_PRONOUN = new Set(wordsIn(LISTS, 'before pronouns'));
const BEFORE_DATIVE = new Set(wordsIn(LISTS, 'before datives'));
const NO_ADJECTIVES = new Set(wordsIn(LISTS, 'no adjectives'));
const NUMBERS = new Set(wordsIn(LISTS, 'numbers'));

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
    'Some German prepositions require one case: the dative after aus, bei, mit, nach, seit, von and zu, the accusative after durch, für and gegen.',
};
const ADJECTIVE: GermanRule = {
  ruleId: 'grammar.german-adjective',
  category: 'grammar',
  severity: 'error',
  explanation:
    'The ending of a German adjective depends on its article and on the gender, number and case of its noun.',
};

const [NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE] = [0, 1, 2, 3];
const ALL_CASES = [NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE];
const GENDERS = [0, 1, 2, PLURAL];

/** Forms by gender and case. */
type Family = readonly (readonly (string | undefined)[])[];

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
/** Endings of adjectives without an article, and after one. */
const STRONG = [
  ['er', 'en', 'em', 'en'],
  ['e', 'er', 'er', 'e'],
  ['es', 'en', 'em', 'es'],
  ['e', 'er', 'en', 'e'],
];
const WEAK = [
  ['e', 'en', 'en', 'en'],
  ['e', 'en', 'en', 'e'],
  ['e', 'en', 'en', 'e'],
  ['en', 'en', 'en', 'en'],
];

const ARTICLES: ReadonlySet<string> = new Set(DEFINITE.flat());
/** Prepositions that contain an article: the forms for masculine and neuter nouns, and for feminine ones. */
const CONTRACTED: readonly (readonly [string, string])[] = [
  ['zum', 'zur'],
  ['vom', 'von der'],
  ['im', 'in der'],
  ['beim', 'bei der'],
  ['am', 'an der'],
];

interface Determiner {
  /** Bits of the genders and cases that the form has. */
  forms: number;
  family: Family;
  isContracted: boolean;
}

/** Forms that are also pronouns or verbs before a noun: `sein Glück suchen`, `einer Geld hat`. */
const OFTEN_ALONE = new Set(
  'sein mein dein euer einer eines keiner keines jeder welcher'.split(' '),
);

const DETERMINERS = determiners();

function determiners(): ReadonlyMap<string, Determiner> {
  const all = new Map<string, Determiner>();
  const add = (family: Family, some: readonly number[], isContracted = false) => {
    for (const gender of some) {
      for (const [index, form] of (family[gender] ?? []).entries()) {
        if (form === undefined) continue;
        const known = all.get(form) ?? { forms: 0, family, isContracted };
        known.forms |= formBit(gender, index);
        all.set(form, known);
      }
    }
  };
  const withStem = (stem: string, endings: readonly (readonly string[])[]) =>
    endings.map((forms) => forms.map((ending) => stem + ending));
  add(DEFINITE, GENDERS);
  add(withStem('ein', LIKE_EIN.slice(0, PLURAL)), [0, 1, 2]);
  for (const stem of ['kein', 'mein', 'dein', 'sein', 'ihr', 'unser'])
    add(withStem(stem, LIKE_EIN), GENDERS);
  for (const stem of ['dies', 'jen']) add(withStem(stem, LIKE_DIESER), GENDERS);
  add(withStem('jed', LIKE_DIESER.slice(0, PLURAL)), [0, 1, 2]);
  add([[], [], [], ['alle', 'aller', 'allen', 'alle']], [PLURAL]);
  for (const [other, feminine] of CONTRACTED) {
    const forms = [other, feminine, other].map((form) => [undefined, undefined, form]);
    add(forms, feminine.includes(' ') ? [0, 2] : [0, 1, 2], true);
  }
  // `am Ende jeden Monats`
  const every = all.get('jeden');
  if (every) every.forms |= formBit(0, GENITIVE) | formBit(2, GENITIVE);
  return all;
}

/** Cases after prepositions. `um` and `ohne` also start clauses, so they are not among them. */
const CASES_AFTER: ReadonlyMap<string, readonly number[]> = new Map([
  ...['mit', 'von', 'zu', 'bei', 'aus', 'nach', 'seit'].map((word): [string, number[]] => [
    word,
    [DATIVE],
  ]),
  ...['für', 'durch', 'gegen'].map((word): [string, number[]] => [word, [ACCUSATIVE]]),
  ...['in', 'an', 'auf', 'über', 'unter', 'vor', 'hinter', 'neben', 'zwischen'].map(
    (word): [string, number[]] => [word, [DATIVE, ACCUSATIVE]],
  ),
]);

const NOUN = /^\p{Lu}[\p{Ll}-]+(?:\p{Lu}\p{Ll}+)*$/u;
const GENITIVES = formBit(0, GENITIVE) | formBit(2, GENITIVE);
const MAY_BE_ADJECTIVE = /(?:e[nmrs]?|[lr]n)$/u;
const ADJECTIVE_ENDING = /e[nmrs]?$/u;
const SHORTEST_LAST_PART = 4;
const SHORTEST_FIRST_PART = 3;
const MOST_ADJECTIVES = 2;
const MOST_VALUES = 3;

/** Estimated chance that the first replacement is right, if it is the only one or one of several. */
const CONFIDENCE = { only: 0.85, several: 0.5 };

/** Subjects, after which a noun is rarely the subject. */
const SUBJECTS = new Set(['ich', 'du', 'er', 'sie', 'wir', 'man', 'es']);

/** A noun with the words before it that have its case. */
interface Phrase {
  noun: Token;
  adjectives: readonly Token[];
  /** `drei` in `mit drei Tagen`. */
  number: Token | undefined;
  determiner: Token | undefined;
  preposition: Token | undefined;
  /** The word before the determiner, adjectives or noun. */
  previous: Token | undefined;
  beforePrevious: Token | undefined;
}

/** A phrase in one gender and case. */
interface Option {
  /** Words of the phrase from the determiner to the noun. */
  words: readonly string[];
  /** Number of words that differ from the phrase. */
  changes: number;
  /** True if the determiner may have this case. */
  keepsCase: boolean;
  /** Smaller is likelier, among options with the same number of changes. */
  penalty: number;
}

/** Finds determiners, adjectives and nouns that do not agree, or have the wrong case after a preposition. */
export class NounPhrases {
  constructor(
    private readonly nouns: GermanNouns,
    private readonly dictionary: Dictionary,
  ) {}

  /** Returns the finding of the phrase that ends with the noun at `index`. */
  findingAt(text: GermanText, index: number): Finding | undefined {
    const noun = text.tokens[index];
    if (!noun || !NOUN.test(noun.word) || !endsPhrase(noun, text.tokens[index + 1]))
      return undefined;
    const phrase = this.phraseBefore(text.tokens, noun, index);
    if (!phrase || !isCheckable(phrase)) return undefined;
    const first = phrase.determiner ?? phrase.number ?? phrase.adjectives[0] ?? noun;
    // Emphasis around the noun may be a label: `das **Bildschirm freigeben**-Symbol`.
    if (!text.isPlain(first, noun)) return undefined;
    const forms = this.formsOf(noun.word);
    if (forms === 0 || isPronounBeforePlural(phrase, forms)) return undefined;
    return this.disagreement(text, phrase, forms, isObject(text.tokens, index, phrase));
  }

  private phraseBefore(tokens: readonly Token[], noun: Token, index: number): Phrase | undefined {
    let at = index - 1;
    const before = () => (tokens[at]?.gap === ' ' ? tokens[at] : undefined);
    const adjectives: Token[] = [];
    for (let token = before(); token && this.isAdjective(token); token = before()) {
      if (adjectives.length === MOST_ADJECTIVES) return undefined;
      adjectives.unshift(token);
      at -= 1;
    }
    // `die lose liegenden Blätter`: the first word is an adverb.
    const endings = new Set(adjectives.map(({ word }) => ADJECTIVE_ENDING.exec(word)?.[0]));
    if (endings.size > 1) return undefined;
    const number = isNumber(before()) ? before() : undefined;
    if (number) at -= 1;
    const determiner = isDeterminer(before()) ? before() : undefined;
    if (determiner) at -= 1;
    const previous = before();
    const beforePrevious = tokens[at - 1];
    const preposition = isPreposition(previous, beforePrevious) ? previous : undefined;
    return { noun, adjectives, number, determiner, preposition, previous, beforePrevious };
  }

  private disagreement(
    text: GermanText,
    phrase: Phrase,
    forms: number,
    isObject: boolean,
  ): Finding | undefined {
    const options = this.optionsOf(phrase, forms, isObject);
    const fewest = Math.min(...options.map(({ changes }) => changes));
    if (options.length === 0 || fewest === 0) return undefined;
    const tokens = tokensOf(phrase);
    const few = options.filter(({ changes }) => changes === fewest);
    const kept = few.filter(({ keepsCase }) => keepsCase);
    const best = (kept.length > 0 ? kept : few).sort((one, other) => one.penalty - other.penalty);
    // All changed words are one finding.
    const places = [...tokens.keys()].filter((at) =>
      best.some(({ words }) => words[at] !== tokens[at]?.word),
    );
    const start = places[0] ?? 0;
    const end = (places.at(-1) ?? 0) + 1;
    const values = [...new Set(best.map(({ words }) => words.slice(start, end).join(' ')))];
    const changed = tokens.slice(start, end);
    const [first, last] = [changed[0], changed.at(-1)];
    if (!first || !last) return undefined;
    const original = changed.map(({ word }) => word).join(' ');
    const rule = ruleFor(phrase, changed);
    return text.finding(
      rule,
      { start: first.start, end: last.end },
      values.slice(0, MOST_VALUES),
      values.length === 1 ? CONFIDENCE.only : CONFIDENCE.several,
      rule === CASE
        ? `“${original}” does not have the case that “${phrase.preposition?.word ?? ''}” requires.`
        : `“${original}” does not fit the gender, number or case of “${phrase.noun.word}”.`,
    );
  }

  /** Returns the phrase in all genders and cases that its noun and its preposition allow. */
  private optionsOf(phrase: Phrase, forms: number, isObject: boolean): Option[] {
    const { determiner, number, preposition } = phrase;
    const written = determiner && DETERMINERS.get(determiner.lower);
    const cases = casesAfter(preposition) ?? ALL_CASES;
    const writtenCases = written ? casesOf(written.forms) : cases;
    const isAccusative = preposition !== undefined && /en$/u.test(determiner?.word ?? '');
    const genders = number ? [PLURAL] : GENDERS;
    return genders.flatMap((gender) =>
      cases.flatMap((index) => {
        const form = determinerIn(phrase, gender, index);
        if (written && form === undefined) return [];
        return this.nounIn(phrase, forms, gender, index).map((noun) => {
          const words = wordsOf(phrase, form, endingAfter(written, form, gender, index), noun);
          return {
            words,
            changes: words.filter((word, at) => word !== tokensOf(phrase)[at]?.word).length,
            // `den` and `einen` are often written for `dem` and `einem`.
            keepsCase: writtenCases.includes(index) || (index === DATIVE && isAccusative),
            // Articles are right more often than endings of adjectives.
            penalty: penaltyOf(index, preposition, isObject) + (form === determiner?.word ? 0 : 1),
          };
        });
      }),
    );
  }

  /** Returns the form of a noun in a case, if it has one, or one that differs from the text by a common mistake. */
  private nounIn(
    { noun: { word }, determiner }: Phrase,
    forms: number,
    gender: number,
    index: number,
  ): string[] {
    if (forms & formBit(gender, index)) return [word];
    const isDativePlural = gender === PLURAL && index === DATIVE;
    // `die Kindern`
    if (gender === PLURAL && !isDativePlural && forms === formBit(PLURAL, DATIVE)) {
      const bare = word.slice(0, -1);
      return this.formsOf(bare) & formBit(PLURAL, index) ? [bare] : [];
    }
    if ((forms & formBit(gender, NOMINATIVE)) === 0) return [];
    // `den Kinder`, `des Benutzer`
    const written = determiner && DETERMINERS.get(determiner.lower)?.forms;
    const isGenitive = index === GENITIVE && gender !== 1 && written === GENITIVES;
    if (isDativePlural) return this.known(word, ['n']);
    return isGenitive ? this.known(word, ['s', 'es']) : [];
  }

  /** Returns a word with the first ending that makes a known word. */
  private known(word: string, endings: readonly string[]): string[] {
    if (/[ns]$/u.test(word) && endings.includes('n')) return [];
    return endings
      .map((ending) => word + ending)
      .filter((form) => this.dictionary.knows(form))
      .slice(0, 1);
  }

  /** Returns true for a word that has all endings of adjectives. */
  private isAdjective({ word, lower }: Token): boolean {
    if (word !== lower || NO_ADJECTIVES.has(word) || DETERMINERS.has(word)) return false;
    const stem = word.replace(ADJECTIVE_ENDING, '');
    return (
      stem.length >= 2 &&
      stem !== word &&
      ['e', 'en', 'em', 'er', 'es'].every((ending) => this.dictionary.knows(stem + ending))
    );
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

function isDeterminer(token: Token | undefined): boolean {
  // `ihr schöne Augen machen`
  if (!token || token.lower === 'ihr' || !DETERMINERS.has(token.lower)) return false;
  // The polite `Ihre` has a capital everywhere.
  return token.word === token.lower || token.startsSentence || token.lower.startsWith('ihr');
}

function isNumber(token: Token | undefined): boolean {
  return token !== undefined && (NUMBERS.has(token.lower) || /^(?:[2-9]|\d\d)$/u.test(token.word));
}

/** Returns false if another noun may be the head: `die Debian Pakete`, `die Ein- und Ausgabe`. */
function endsPhrase(noun: Token, next: Token | undefined): boolean {
  if (next && noun.gap === ' ' && /^\p{Lu}/u.test(next.word)) return false;
  return !/^[-‐‑/(„"»]/u.test(noun.gap);
}

/** Returns true if the words before a noun belong to it and have a known case. */
function isCheckable(phrase: Phrase): boolean {
  const { adjectives, number, determiner, preposition } = phrase;
  if (!determiner) return isCheckableAlone(phrase);
  // `am besten geeignet`
  if (DETERMINERS.get(determiner.lower)?.isContracted)
    return determiner.lower !== 'am' || !/sten$/u.test(adjectives[0]?.word ?? '');
  if (number && !preposition) return false;
  return !isPronoun(determiner, phrase);
}

/** Returns true if a determiner may be a pronoun that does not belong to the noun. */
function isPronoun(
  determiner: Token,
  { adjectives, preposition, previous, ...phrase }: Phrase,
): boolean {
  if (adjectives.length === 0 && OFTEN_ALONE.has(determiner.lower)) return true;
  if (previous && isPronounAfter(previous.lower, determiner.lower)) return true;
  const { beforePrevious } = phrase;
  // Starts a relative clause: `, die Kinder hat`, `, mit der Kinder spielen`.
  const isAfterComma =
    previous === undefined || (beforePrevious !== undefined && beforePrevious.gap !== ' ');
  if (ARTICLES.has(determiner.lower) && !determiner.startsSentence && isAfterComma) return true;
  // `seit` also starts clauses: `seit das Buch erschien`.
  if (preposition?.lower === 'seit') return true;
  // `bis zu einem Tag`
  return preposition !== undefined && beforePrevious?.lower === 'bis' && adjectives.length === 0;
}

/** Without a determiner, only a preposition says the case: `mit gutem Grund`, `seit drei Tagen`. */
function isCheckableAlone({ adjectives, number, preposition }: Phrase): boolean {
  if (!preposition || preposition.lower === 'zu') return false;
  const cases = casesAfter(preposition) ?? [];
  return (
    adjectives.length > 0 || number !== undefined || (cases[0] === DATIVE && cases.length === 1)
  );
}

/** Returns true for `das` and `dieses` that may stand alone: `Das Leute tun`. */
function isPronounBeforePlural({ determiner }: Phrase, forms: number): boolean {
  const isAlone = determiner?.lower === 'das' || determiner?.lower === 'dieses';
  return isAlone && ALL_CASES.some((index) => (forms & formBit(PLURAL, index)) !== 0);
}

/** Returns true if a word is no determiner after another: `der einen Seite`, `ist das Kunst`, `nützt einem Gesundheit`. */
function isPronounAfter(previous: string, word: string): boolean {
  if (DETERMINERS.has(previous)) return true;
  if (word === 'das' || word === 'dieses') return BEFORE_PRONOUN.has(previous);
  return word === 'einem' && !BEFORE_DATIVE.has(previous);
}

/** Returns false in fixed phrases: `von Haus aus`, `meiner Meinung nach`, `ab und zu`, `was für ein`. */
function isPreposition(previous: Token | undefined, beforePrevious: Token | undefined): boolean {
  if (!previous || !CASES_AFTER.has(previous.lower)) return false;
  if (previous.lower === 'aus' || previous.lower === 'nach')
    return !previous.startsSentence && !/^(?:\p{Lu}|sich$|hier$)/u.test(beforePrevious?.word ?? '');
  if (previous.lower === 'für') return beforePrevious?.lower !== 'was';
  return previous.lower !== 'zu' || beforePrevious?.lower !== 'und';
}

function casesAfter(preposition: Token | undefined): readonly number[] | undefined {
  return preposition && CASES_AFTER.get(preposition.lower);
}

/** Returns true if the clause has a subject before the phrase. */
function isObject(tokens: readonly Token[], index: number, { determiner }: Phrase): boolean {
  if (determiner?.startsSentence) return false;
  for (let at = index - 1; at >= 0 && tokens[at]?.gap === ' '; at -= 1) {
    const { lower = '' } = tokens[at] ?? {};
    if (SUBJECTS.has(lower) || lower === 'gibt') return true;
    if (lower === 'ist' || lower === 'sind' || lower === 'war') return false;
  }
  return false;
}

function endingAfter(
  determiner: Determiner | undefined,
  form: string | undefined,
  gender: number,
  index: number,
): string {
  // `ein`, `kein`, `mein` have no ending, so the adjective has one.
  const isBare = form !== undefined && /(?:ein|ihr|unser)$/iu.test(form);
  return (determiner && !isBare ? WEAK : STRONG)[gender]?.[index] ?? '';
}

function penaltyOf(index: number, preposition: Token | undefined, isObject: boolean): number {
  if (index === NOMINATIVE) return isObject ? 1 : 0;
  if (index === ACCUSATIVE) return 0.5;
  if (index === GENITIVE) return 0.9;
  return preposition && preposition.lower !== 'über' ? 0.4 : 0.6;
}

/** Returns the form of the determiner in a gender and case. */
function determinerIn({ determiner }: Phrase, gender: number, index: number): string | undefined {
  const known = determiner && DETERMINERS.get(determiner.lower);
  if (!known) return undefined;
  if (known.forms & formBit(gender, index)) return determiner.word;
  const form = known.family[gender]?.[index];
  return form === undefined || determiner.word === determiner.lower
    ? form
    : form.charAt(0).toUpperCase() + form.slice(1);
}

/** Returns the words from the determiner to the noun. */
function tokensOf({ determiner, number, adjectives, noun }: Phrase): Token[] {
  return [determiner, number, ...adjectives, noun].filter((one) => one !== undefined);
}

function wordsOf(
  { number, adjectives }: Phrase,
  determiner: string | undefined,
  ending: string,
  noun: string,
): string[] {
  const own = [determiner, number?.word].filter((one) => one !== undefined);
  return [...own, ...adjectives.map(({ word }) => word.replace(ADJECTIVE_ENDING, ending)), noun];
}

function ruleFor(phrase: Phrase, changed: readonly Token[]): GermanRule {
  if (casesAfter(phrase.preposition)?.length === 1) return CASE;
  const [first] = changed;
  return first && phrase.adjectives.includes(first) ? ADJECTIVE : DETERMINER;
}

function casesOf(forms: number): number[] {
  return ALL_CASES.filter((index) =>
    GENDERS.some((gender) => (forms & formBit(gender, index)) !== 0),
  );
}
