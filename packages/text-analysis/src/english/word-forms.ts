import { linesIn, pairsIn, readSections, wordsIn } from '../data-file.js';

const DATA = readSections(import.meta.url, 'word-forms.txt');

interface VerbForms {
  base: string;
  past: string;
  participle: string;
}

const byPast = new Map<string, VerbForms>();
const byBase = new Map<string, VerbForms>();
for (const line of linesIn(DATA, 'irregular verbs')) {
  const [base = '', past = '', participle = ''] = line.split(' ');
  const forms = { base, past, participle };
  byBase.set(base, forms);
  if (past !== base) byPast.set(past, forms);
}

/** Verbs that are common enough to recognize without a tagger. Each is more often a verb than a noun. */
export const COMMON_VERBS = new Set(wordsIn(DATA, 'common verbs'));

const regularised = new Map<string, string>();
for (const { base, past } of byBase.values()) {
  const double = `${base}${base.slice(-1)}ed`;
  for (const wrong of [base.endsWith('e') ? `${base}d` : `${base}ed`, double])
    regularised.set(wrong, past);
}

/** Returns `went` for `goed`, `taught` for `teached`. */
export function pastOfRegularised(word: string): string | undefined {
  return regularised.get(word);
}

/** Returns the base of an irregular past that is not a base itself, such as `went`, `saw` or `broke`. */
export function baseOfPast(word: string): string | undefined {
  return byPast.get(word)?.base;
}

/** Returns `gone` for `went`, but nothing for a past that is its own participle, such as `made`. */
export function participleOfPast(word: string): string | undefined {
  const forms = byPast.get(word);
  return forms && forms.participle !== word ? forms.participle : undefined;
}

const pastByParticiple = new Map(
  [...byBase.values()]
    .filter(({ base, past, participle }) => participle !== past && participle !== base)
    .map(({ past, participle }) => [participle, past]),
);

/** Returns `went` for `gone`, but nothing for a participle that is also a base or a past. */
export function pastOfParticiple(word: string): string | undefined {
  return pastByParticiple.get(word);
}

/** Returns `gone` for `go`, `solved` for `solve`. */
export function participleOf(base: string): string {
  return byBase.get(base)?.participle ?? regularPast(base);
}

export function pastOf(base: string): string {
  return byBase.get(base)?.past ?? regularPast(base);
}

function regularPast(base: string): string {
  if (base.endsWith('e')) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  return /^[^aeiou]*[aeiou][bdgmnprt]$/.test(base) ? `${base}${base.slice(-1)}ed` : `${base}ed`;
}

/** Returns the base of `goes`, `tries` or `likes` if it is a common verb. */
export function baseOfThirdPerson(word: string): string | undefined {
  if (word === 'has') return 'have';
  if (!word.endsWith('s') || word.endsWith('ss')) return undefined;
  const candidates = [word.slice(0, -1)];
  if (word.endsWith('ies')) candidates.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) candidates.push(word.slice(0, -2));
  return candidates.find((base) => COMMON_VERBS.has(base));
}

export function thirdPersonOf(base: string): string {
  if (base === 'have') return 'has';
  if (base === 'be') return 'is';
  if (/(?:[sxz]|ch|sh|o)$/.test(base)) return `${base}es`;
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ies` : `${base}s`;
}

export function gerundOf(base: string): string {
  if (base.endsWith('ie')) return `${base.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(base) && base !== 'be') return `${base.slice(0, -1)}ing`;
  if (/^[^aeiou]*[aeiou][bdgmnpt]$/.test(base) || base === 'begin' || base === 'forget')
    return `${base}${base.slice(-1)}ing`;
  return `${base}ing`;
}

const IRREGULAR_PLURALS = new Map(pairsIn(DATA, 'irregular plurals'));
const singulars = new Map([...IRREGULAR_PLURALS].map(([one, many]) => [many, one]));

/** Words with one form for singular and plural, or without a plural. */
export const NO_PLURAL = new Set(wordsIn(DATA, 'no plural'));

/** Uncountable words. They take neither `a` nor a plural, and `much` instead of `many`. */
export const UNCOUNTABLE = new Set(wordsIn(DATA, 'uncountable'));

export function pluralOf(noun: string): string {
  const irregular = IRREGULAR_PLURALS.get(noun);
  if (irregular) return irregular;
  if (/(?:[sxz]|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Returns the singular of a plural, or undefined. */
export function singularOf(word: string): string | undefined {
  const irregular = singulars.get(word);
  if (irregular) return irregular;
  if (!/[a-z]{2}s$/.test(word) || /(?:ss|us|is)$/.test(word) || NO_PLURAL.has(word))
    return undefined;
  if (word.endsWith('ies') && word.length > 5) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Applies the case of one word to another: `The` for `This`. */
export function likeCase(model: string, word: string): string {
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
