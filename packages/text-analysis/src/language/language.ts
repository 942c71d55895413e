import { pairsIn, readSections, wordsIn } from '../data-file.js';
import { functionWords, LANGUAGES_WITH_FUNCTION_WORDS } from './function-words.js';

/** A detected language; `und` if unknown. Confidence is 0 to 1. */
export interface DetectedLanguage {
  code: string;
  confidence: number;
}

export const UNDETERMINED: DetectedLanguage = { code: 'und', confidence: 0 };

/** UTF-16 units of a paragraph to look at. Looking at more does not help and takes time. */
const SAMPLE_LENGTH = 1_200;
/** Number of words from which a choice that both detectors share counts, even with a close second language. */
const LONG_SAMPLE = 14;

/** Scripts that only one supported language uses. */
const LANGUAGE_OF_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Lao}/u, 'lo'],
  [/\p{Script=Khmer}/u, 'km'],
  [/\p{Script=Myanmar}/u, 'my'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Georgian}/u, 'ka'],
  [/\p{Script=Armenian}/u, 'hy'],
  [/\p{Script=Tamil}/u, 'ta'],
  [/\p{Script=Telugu}/u, 'te'],
  [/\p{Script=Kannada}/u, 'kn'],
  [/\p{Script=Malayalam}/u, 'ml'],
  [/\p{Script=Gujarati}/u, 'gu'],
  [/\p{Script=Gurmukhi}/u, 'pa'],
  [/\p{Script=Oriya}/u, 'or'],
  [/\p{Script=Sinhala}/u, 'si'],
  [/\p{Script=Tibetan}/u, 'bo'],
];

const UNIQUE_SCRIPTS = new Set(LANGUAGE_OF_SCRIPT.map(([, code]) => code));

type SharedScript =
  | 'Latin'
  | 'Cyrillic'
  | 'Arabic'
  | 'Hebrew'
  | 'Devanagari'
  | 'Bengali'
  | 'Ethiopic'
  | 'Han'
  | 'Kana';

const SHARED_SCRIPTS: readonly (readonly [RegExp, SharedScript])[] = [
  [/\p{Script=Latin}/u, 'Latin'],
  [/\p{Script=Cyrillic}/u, 'Cyrillic'],
  [/\p{Script=Arabic}/u, 'Arabic'],
  [/\p{Script=Hebrew}/u, 'Hebrew'],
  [/\p{Script=Devanagari}/u, 'Devanagari'],
  [/\p{Script=Bengali}/u, 'Bengali'],
  [/\p{Script=Ethiopic}/u, 'Ethiopic'],
  [/\p{Script=Han}/u, 'Han'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'Kana'],
];

/** Weights for comparing scripts in which a character stands for a syllable or a word. */
const WEIGHT_OF_SCRIPT: Readonly<Record<string, number>> = { Han: 3, Kana: 2, ko: 2 };

const DATA = readSections(import.meta.url, 'language.txt');
const CODE_OF_FRANC = new Map(pairsIn(DATA, 'codes of franc'));

/** Languages that eld lacks, with the languages that it reports instead. */
const MISTAKEN_FOR = new Map(
  pairsIn(DATA, 'mistaken for').map(([code, others]) => [code, others.split(' ')]),
);
/** Their share of the reported language's score. */
const LIKE_THE_MISTAKEN = 0.86;
/** A language unknown to eld gets this share of the score of eld's first choice. */
const LACKING = 0.62;

/** Weights of the votes, fitted by hand to bench/analysis/languages. */
const WEIGHT_OF_ELD = 1;
const WEIGHT_OF_FRANC = 0.2;
const WEIGHT_OF_WORDS = 1.2;
const WEIGHT_OF_LETTERS = 0.25;
/** Weight of the language of the surrounding text. */
const WEIGHT_OF_SURROUNDINGS = 0.35;

/** Latin letters that few languages use, with these languages. */
const LETTERS = pairsIn(DATA, 'letters').map(
  ([letters, languages]) => [letters, languages.split(' ')] as const,
);

/** Cyrillic letters, the languages that use them, and the default if the detectors disagree. */
const CYRILLIC_LETTERS: readonly (readonly [RegExp, readonly string[], string])[] = [
  [/[құ]|і.*[үң]|[үң].*і/su, ['kk'], 'kk'],
  [/[әғңһ]/u, [], 'und'],
  [/[өү]/u, ['mn', 'ky'], 'und'],
  [/ў|[іїєґ].*[ыэё]|[ыэё].*[іїєґ]/su, ['be'], 'be'],
  [/[іїєґ]/u, ['uk'], 'uk'],
  [/[ѓќѕ]/u, ['mk'], 'mk'],
  [/[ћђ]/u, ['sr'], 'sr'],
  [/[љњџј]/u, ['sr', 'mk'], 'sr'],
  // Bulgarian uses the soft sign only before о.
  [/[ыэё]|ь(?!о)/u, ['ru'], 'ru'],
];

/** Only Breton uses this. */
const BRETON = /c['’]h[aeiou]/iu;

/** Spellings that distinguish similar languages, which eld and franc confuse in short texts. */
const HABITS: readonly (readonly [string, RegExp])[] = [
  [
    'da',
    /(?:tion(?:en|er)?|ede|eret|hed(?:en|er)?|[^s]ej\w{0,3}|øj\w*|[aeiouyæøå][bdg](?:e|er|es|et|en|t)?|igt|af|^(?:nat|klik|hvad|at|blive[rt]?|nogle|selv|meget|først|være|jer|os|dig|mig|sig|ud|lidt|bare|lægen))$/u,
  ],
  [
    'no',
    /(?:sjon(?:en|er)?|het(?:en|er)?|øy\w*|ei\w{0,2}|^kj\w+|^gj\w+|skj\w+|[aeiouyæøå][ptk](?:e|er|es|et|en)|nn|mm|kk|pp|[^e]ll|tt|sk(?:e|er)?|[^e]ert|a|dd|^å|^(?:av|hva|bli[r]?|noen|veldig|mye|være|deg|meg|seg|oss|legen|vårt?|litt|nå|fjor))$/u,
  ],
  [
    'sv',
    /(?:ade|het(?:en|er)?|[ao]rna|erna|ck\w*|.*[äö].*|x\w*|[^aeiouyåäö]or|ar|igt|na|tt|an|at|it|a|lig|^(?:om|från|vad|vem))$/u,
  ],
];
const WEIGHT_OF_HABITS = 0.25;

/** Common languages win a tie: `Vi ses i morgen tidlig` is both Danish and Norwegian. */
const MAIN = new Set('en de fr es pt it nl pl da sv'.split(' '));
const BONUS_OF_MAIN = 0.04;
function bonusOf(code: string): number {
  if (MAIN.has(code)) return BONUS_OF_MAIN;
  return code === 'no' ? BONUS_OF_MAIN / 2 : 0;
}
const BONUS_OF_RUSSIAN = 0.15;

/** Share of function words, and ratio to the next language, at which the choice is clear. */
const PLAIN_SHARE = 0.15;
const PLAIN_LEAD = 1.5;

type Scores = Map<string, number>;

interface Voters {
  eld: (text: string) => Readonly<Record<string, number>>;
  franc: (text: string) => readonly (readonly [string, number])[];
}

/** Detects languages. `load` reads the detectors' data once. */
export class LanguageDetector {
  private constructor(private readonly voters: Voters) {}

  /** Loads the detectors. Takes about a second of CPU time and 80 MB the first time. */
  static async load(): Promise<LanguageDetector> {
    const [{ eld }, { francAll }] = await Promise.all([import('eld/extrasmall'), import('franc')]);
    return new LanguageDetector({
      eld: (text) => eld.detect(text).getScores(),
      franc: (text) => francAll(text, { minLength: 3 }),
    });
  }

  /**
   * Returns the language of a paragraph. `surroundings`, the language of the text around it, only decides where the
   * passage is ambiguous.
   */
  detect(text: string, surroundings?: string): DetectedLanguage {
    const sample = text.slice(0, SAMPLE_LENGTH).normalize('NFC');
    const script = dominantScript(sample);
    if (script === undefined) return UNDETERMINED;
    if (UNIQUE_SCRIPTS.has(script)) return { code: script, confidence: 1 };
    switch (script) {
      case 'Kana':
        return { code: 'ja', confidence: 1 };
      case 'Han':
        return { code: 'zh', confidence: 0.95 };
      case 'Latin':
        return this.latin(sample, surroundings);
      case 'Cyrillic':
        return this.cyrillic(sample);
      case 'Arabic':
        return this.arabic(sample);
      case 'Hebrew':
        if (/[ײװױ]|א[ַָ]/u.test(sample)) return known('yi');
        return this.agreed(sample, ['he', 'yi'], 'he');
      case 'Devanagari':
        return this.agreed(sample, ['hi', 'mr', 'ne'], 'und');
      case 'Bengali':
        return /[ৰৱ]/u.test(sample) ? known('as') : known('bn');
      default:
        return this.agreed(sample, ['am', 'ti'], 'und');
    }
  }

  private latin(sample: string, surroundings: string | undefined): DetectedLanguage {
    const words = wordsOf(sample);
    if (words.length === 0) return UNDETERMINED;
    if (BRETON.test(sample)) return known('br');
    const eld = new Map(Object.entries(this.voters.eld(sample)));
    const byWords = functionWordScores(words);
    const plain = plainCase(words.length, eld, byWords);
    if (plain !== undefined) return { code: plain, confidence: 1 };
    const franc = this.francScores(sample);
    const first = Math.max(0, ...eld.values());
    const total: Scores = new Map();
    const letters = letterPenalties(sample);
    const habits = habitScores(words);
    for (const code of new Set([...eld.keys(), ...byWords.keys(), ...franc.keys()])) {
      if (!LATIN.has(code)) continue;
      const likeness =
        eld.get(code) ??
        (ELD_LATIN.has(code) ? 0 : mistaken(code, eld) * LIKE_THE_MISTAKEN || first * LACKING);
      total.set(
        code,
        likeness * WEIGHT_OF_ELD +
          (franc.get(code) ?? 0) * WEIGHT_OF_FRANC +
          (byWords.get(code) ?? 0) * WEIGHT_OF_WORDS +
          (habits.get(code) ?? 0) * WEIGHT_OF_HABITS +
          bonusOf(code) -
          (letters(code) ? WEIGHT_OF_LETTERS : 0) +
          (code === surroundings ? WEIGHT_OF_SURROUNDINGS : 0),
      );
    }
    return decide(total, { eld, franc, byWords, words: words.length, surroundings });
  }

  private francScores(sample: string): Scores {
    const scores: Scores = new Map();
    for (const [iso3, score] of this.voters.franc(sample)) {
      const code = shortCode(iso3);
      scores.set(code, Math.max(score, scores.get(code) ?? 0));
    }
    return scores;
  }

  private cyrillic(sample: string): DetectedLanguage {
    const lower = sample.toLowerCase();
    const told = CYRILLIC_LETTERS.find(([letters]) => letters.test(lower));
    if (told) {
      const [, candidates, otherwise] = told;
      if (candidates.length > 1) return this.agreed(sample, candidates, otherwise);
      return otherwise === 'und' ? UNDETERMINED : known(otherwise);
    }
    const byWords = functionWordScores(wordsOf(sample));
    const eld = this.voters.eld(sample);
    let best = UNDETERMINED;
    for (const code of ['ru', 'uk', 'bg', 'mk', 'sr', 'be']) {
      const bonus = code === 'ru' ? BONUS_OF_RUSSIAN : 0;
      const score = (eld[code] ?? 0) + (byWords.get(code) ?? 0) + bonus;
      if (score > best.confidence) best = { code, confidence: score };
    }
    return { code: best.code, confidence: Math.min(1, best.confidence) };
  }

  private arabic(sample: string): DetectedLanguage {
    if (/[ټډړښځڅ]/u.test(sample)) return known('ps');
    if (/[ٹڈڑںےہھ]/u.test(sample)) return this.agreed(sample, ['ur', 'pa', 'sd'], 'ur');
    if (/[ڵڕۆێە]/u.test(sample)) return known('ckb');
    return this.agreed(sample, ['ar', 'fa', 'ur'], /[پچژگی]/u.test(sample) ? 'fa' : 'ar');
  }

  private agreed(
    sample: string,
    candidates: readonly string[],
    otherwise: string,
  ): DetectedLanguage {
    const eld = this.voters.eld(sample);
    const franc = this.francScores(sample);
    const rank = (scores: (code: string) => number | undefined) =>
      [...candidates].sort((one, other) => (scores(other) ?? 0) - (scores(one) ?? 0))[0];
    const first = rank((code) => eld[code]);
    const second = rank((code) => franc.get(code));
    if (first !== undefined && first === second) return { code: first, confidence: 0.95 };
    return otherwise === 'und' ? UNDETERMINED : { code: otherwise, confidence: 0.6 };
  }
}

/**
 * Returns the language if function words and eld clearly agree on one. Saves calling franc, which takes most of the time.
 */
function plainCase(words: number, eld: Scores, byWords: Scores): string | undefined {
  if (words < LONG_SAMPLE) return undefined;
  const [first, second] = [...byWords].sort(([, one], [, other]) => other - one);
  if (!first || first[1] < PLAIN_SHARE || first[1] < PLAIN_LEAD * (second?.[1] ?? 0))
    return undefined;
  const [code] = first;
  return eld.has(code) && eld.get(code) === Math.max(...eld.values()) ? code : undefined;
}

interface Evidence {
  eld: Scores;
  franc: Scores;
  byWords: Scores;
  words: number;
  surroundings: string | undefined;
}

/** Required lead if no function word supports the language and the detectors disagree. */
const SURE_MARGIN = 0.12;

/** Returns the first language of the ranking if the votes support it, else `und`. */
function decide(total: Scores, evidence: Evidence): DetectedLanguage {
  const [first, second] = [...total].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (!first) return UNDETERMINED;
  const [code, score] = first;
  const votes: Votes = {
    margin: score - (second?.[1] ?? 0),
    byWords: evidence.byWords.get(code) ?? 0,
    byEld: evidence.eld.get(code) ?? 0,
    isEldsChoice:
      evidence.eld.has(code) && evidence.eld.get(code) === Math.max(...evidence.eld.values()),
    isFrancsChoice: (evidence.franc.get(code) ?? 0) >= 1,
  };
  if (!isBorneOut(code, votes, evidence)) return UNDETERMINED;
  const confidence =
    0.5 +
    Math.min(0.3, votes.margin / 2) +
    (votes.isEldsChoice ? 0.1 : 0) +
    (votes.isFrancsChoice ? 0.1 : 0);
  return { code, confidence: Math.round(Math.min(1, confidence) * 100) / 100 };
}

/** The votes for one language. */
interface Votes {
  /** Lead over the next language. */
  margin: number;
  byWords: number;
  byEld: number;
  isEldsChoice: boolean;
  isFrancsChoice: boolean;
}

function isBorneOut(code: string, votes: Votes, evidence: Evidence): boolean {
  const { margin, byWords, byEld } = votes;
  const isLong = evidence.words >= LONG_SAMPLE;
  const isBothChoice = votes.isEldsChoice && votes.isFrancsChoice;
  if (margin < (isLong ? 0.01 : 0.02)) return false;
  if (byWords < leastWords(code, evidence)) return false;
  if (byEld < 0.6 && byWords < 0.3 && !isBothChoice) return false;
  if (isLong && byWords < 0.04 && !isBothChoice) return false;
  return code === evidence.surroundings || speaksForItself(votes, evidence.words);
}

/** Returns the required share of function words for languages that the detectors know poorly. */
function leastWords(code: string, evidence: Evidence): number {
  // eld reports Indonesian as Malay.
  if (code === 'ms') return (evidence.byWords.get('id') ?? 0) + 0.01;
  return ELD_LATIN.has(code) ? 0 : 0.15;
}

/**
 * Returns true if a passage is clear without context. One or two words say little, and words without a function word must
 * resemble the language.
 */
function speaksForItself(votes: Votes, words: number): boolean {
  const { byWords, byEld, isEldsChoice, isFrancsChoice, margin } = votes;
  if (words < 3) return byWords > 0 && isEldsChoice && isFrancsChoice;
  if (byWords > 0) return true;
  return isEldsChoice && byEld > 0.5 && (isFrancsChoice || (byEld > 0.65 && margin > SURE_MARGIN));
}

const ELD_LATIN = new Set(wordsIn(DATA, 'eld'));
const CYRILLIC_LISTS = new Set(['ru', 'uk', 'bg']);
const LATIN = new Set([
  ...ELD_LATIN,
  ...LANGUAGES_WITH_FUNCTION_WORDS.filter((code) => !CYRILLIC_LISTS.has(code)),
]);

function known(code: string): DetectedLanguage {
  return { code, confidence: 0.95 };
}

function mistaken(code: string, eld: Scores): number {
  return Math.max(0, ...(MISTAKEN_FOR.get(code) ?? []).map((other) => eld.get(other) ?? 0));
}

function shortCode(iso3: string): string {
  return CODE_OF_FRANC.get(iso3) ?? CODES_BY_ISO3.get(iso3) ?? iso3;
}

/** Short codes by three-letter code: `deu` is `de`. */
const CODES_BY_ISO3 = new Map<string, string>();
for (const iso3 of wordsIn(DATA, 'three letters')) {
  CODES_BY_ISO3.set(iso3, iso3 === 'swh' ? 'sw' : (Intl.getCanonicalLocales(iso3)[0] ?? iso3));
}

/** Returns the dominant script, or the language if only one uses the script. */
function dominantScript(sample: string): string | undefined {
  const weights = new Map<string, number>();
  let letters = 0;
  for (const character of sample) {
    if (!LETTER.test(character)) continue;
    const script = scriptOf(character);
    if (script === undefined) continue;
    const weight = WEIGHT_OF_SCRIPT[script] ?? 1;
    letters += weight;
    weights.set(script, (weights.get(script) ?? 0) + weight);
  }
  const kana = weights.get('Kana') ?? 0;
  const han = weights.get('Han') ?? 0;
  // Japanese mixes both scripts. Chinese contains kana only in names.
  if (kana + han > letters / 2) return kana >= 0.08 * (kana + han) ? 'Kana' : 'Han';
  return [...weights].find(([, weight]) => weight > letters / 2)?.[0];
}

const LETTER = /\p{L}/u;

function scriptOf(character: string): string | undefined {
  if (character < '\u0250') return 'Latin';
  for (const [pattern, script] of SHARED_SCRIPTS) if (pattern.test(character)) return script;
  for (const [pattern, code] of LANGUAGE_OF_SCRIPT) if (pattern.test(character)) return code;
  return undefined;
}

const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*['’]?/gu;

function wordsOf(sample: string): string[] {
  return (sample.toLowerCase().match(WORD) ?? []).map((word) => word.replaceAll('’', "'"));
}

/** The languages of each function word. */
let ownersOfWords: ReadonlyMap<string, readonly string[]> | undefined;

function ownersOf(word: string): readonly string[] {
  if (!ownersOfWords) {
    const owners = new Map<string, string[]>();
    for (const code of LANGUAGES_WITH_FUNCTION_WORDS)
      for (const form of functionWords(code)) owners.set(form, [...(owners.get(form) ?? []), code]);
    ownersOfWords = owners;
  }
  return ownersOfWords.get(word) ?? [];
}

/** Returns the share of function words by language. Words of many languages count less. */
function functionWordScores(words: readonly string[]): Scores {
  const scores: Scores = new Map();
  for (const word of words) {
    const owners = new Set(formsOf(word).flatMap(ownersOf));
    const weight = 1 / (words.length * Math.sqrt(Math.max(1, owners.size)));
    for (const code of owners) scores.set(code, (scores.get(code) ?? 0) + weight);
  }
  return scores;
}

/** Returns a word and the parts around its apostrophe: `l'homme` contains an article, `c'est` a verb. */
function formsOf(word: string): string[] {
  const apostrophe = word.indexOf("'");
  if (apostrophe < 1) return [word];
  return [word, word.slice(0, apostrophe + 1), word.slice(apostrophe + 1)];
}

/** Returns how far each language falls behind the neighbor that more words match in spelling: 0 or less. */
function habitScores(words: readonly string[]): Scores {
  const shares = HABITS.map(
    ([code, habit]) =>
      [code, words.filter((word) => habit.test(word)).length / words.length] as const,
  );
  const most = Math.max(...shares.map(([, share]) => share));
  return new Map(shares.map(([code, share]) => [code, share - most]));
}

/** Returns a function that checks whether a language lacks a letter of the sample. */
function letterPenalties(sample: string): (code: string) => boolean {
  const lower = sample.toLowerCase();
  const present = LETTERS.filter(([letters]) =>
    Array.from(letters).some((letter) => lower.includes(letter)),
  );
  return (code) => present.some(([, languages]) => !languages.includes(code));
}
