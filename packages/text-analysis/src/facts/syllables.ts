import { readSections, wordsIn } from '../data-file.js';

const DATA = readSections(import.meta.url, 'syllables.txt');

/** Words that the rules below miscount, with their number of syllables. */
const EXCEPTIONS = new Map(
  [...DATA.keys()].flatMap((count) =>
    wordsIn(DATA, count).map((word) => [word, Number(count)] as const),
  ),
);

/** First parts of compounds with a silent e: `filename`, `therefore`. */
const SILENT_E_PARTS =
  /^(some|there|where|here|fore|home|life|time|name|base|file|fire|frame|line|note|pipe|store|type|space|safe|nine|house|code|cache|side|table(?=t?s?pace)|wire|white|wide|share|store|state|stage|page|place|price|make|take|mile|face|grape|lime|love|live|hope|care|use|sense|shame|game|horse|score|whole|trouble(?=some)|like|bone|stone|cheese|juice|sauce|knife|wife)(?=[bcdfghjklmnpqrstvwxz])/;

const SUFFIX_AFTER_SILENT_E =
  /(?<=[aeiouy][bcdfghjklmnpqrstvwxyz]{1,2})e(?=(?:ly|ful|fully|less|ment|ments|ness|some|ty|ties|house|work|word|time|wise|body|where|man|men|line|board)s?$)/;

/** Adjacent vowels that form two syllables, and the exceptions. Each match adds a syllable. */
const HIATUS: readonly RegExp[] = [
  /[^ctsg l]ia(?!ge)|(?<=[^aeiou]l)ia(?!n)|lia(?=[bcdmrt])|^(?:d|tr|g)ia|sia[ct]|cia[st]/gu,
  /[^ctsglnvx]io|vious|[^aeiou]vio(?=l)|(?:^|[aeiou])nio$|lio(?!n)|pion|^lio|^vio|(?<!t)tio$/gu,
  /(?<![qg])ua/gu,
  /(?<![gq])ue(?=n[ct]|l$|t$|ls$)/gu,
  /(?<![qg])uou|(?<![qg])uo(?!u|y)/gu,
  /uit(?=ion|iv|y)|(?<![gq])ui(?=d$|ds$|n$|ns$|ne$|ng)/gu,
  /[^ct]ie(?=n[ct])|iet|[^cst]iest$|(?<=..)(?:rr|pp|tt|dd|nn|ff|l|v|z|s|d|h|m|p)ier$/gu,
  /[aeouy](?=ing)|(?<=[^q]u)(?=ing)/gu,
  /[aeiou]y(?=[aeo])/gu,
  /iu(?=m|s)/gu,
  /eum|[^g]eo(?=u|g|l|n|r[aei])|^geo|eos?$/gu,
  /aic|aos|[^cs]oe(?=[mt])|^coo[pr]|^coex|^reac|^crea(?!m|s|k)|^reap|^prea|^rei[ntm]|^preex|^deac|^naiv|^zoo/gu,
];

/** Consonants that form a syllable. */
const SYLLABIC = /(?:[sz]m|thm)s?$/u;

const cache = new Map<string, number>();
const CACHED_WORDS = 20_000;

/** Counts the syllables of an English word. Returns one for words without vowels. */
export function countSyllables(word: string): number {
  const lower = word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/[’ʼ]/gu, "'");
  let count = cache.get(lower);
  if (count === undefined) {
    count = lower
      .split(/[^a-z']+/u)
      .filter((part) => part !== '')
      .reduce((sum, part) => sum + syllablesOfPart(part), 0);
    count = Math.max(1, count);
    if (cache.size >= CACHED_WORDS) cache.clear();
    cache.set(lower, count);
  }
  return count;
}

/** Longer runs of letters are not words. They count as the average number of syllables for their length. */
const LONGEST_WORD = 40;
const LETTERS_OF_A_SYLLABLE = 3;

function syllablesOfPart(raw: string): number {
  if (raw.length > LONGEST_WORD) return Math.round(raw.length / LETTERS_OF_A_SYLLABLE);
  // In didn't and couldn't, the n is a syllable. In don't and can't, it is not.
  const negation = /[ds]n't$/u.test(raw) ? 1 : 0;
  const word = raw.replace(/n't$/u, '').replace(/'s?$/u, '').replace(/'/gu, '');
  if (word === '') return negation;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception + negation;
  return Math.max(1, vowelGroups(word)) + negation;
}

function vowelGroups(word: string): number {
  const spoken = withoutSilentLetters(word);
  const letters = spoken.replaceAll('qu', 'q');
  let count = (letters.match(/[aeiouy]+/gu) ?? []).length;
  for (const pattern of HIATUS) count += (spoken.match(pattern) ?? []).length;
  if (SYLLABIC.test(word)) count += 1;
  return count;
}

/** Removes silent e, except in words such as `table`, `boxes` and `wanted`. */
function withoutSilentLetters(word: string): string {
  return withoutSilentEnding(withoutSilentInside(word));
}

function withoutSilentInside(word: string): string {
  let spoken = word;
  const first = SILENT_E_PARTS.exec(spoken)?.[1];
  if (first?.endsWith('e') && spoken.length > first.length + 2)
    spoken = first.slice(0, -1) + spoken.slice(first.length);
  return spoken.replace(SUFFIX_AFTER_SILENT_E, '').replace(/gue(?=s?$|d$)/u, 'g');
}

/** In `table`, `handled` and `acres`, the e is pronounced before the consonant. */
const SPOKEN_ENDINGS: readonly RegExp[] = [
  /[^aeiouyrw]les?$/u,
  /[^aeiouylr]led$/u,
  /[aeiouy][^aeiouy]*[bct]res?$/u,
];

function withoutSilentEnding(spoken: string): string {
  if (SPOKEN_ENDINGS.some((ending) => ending.test(spoken))) return spoken;
  if (spoken.endsWith('ed'))
    return /(?:[td]|[aeiouy])ed$/u.test(spoken) ? spoken : spoken.slice(0, -2);
  if (spoken.endsWith('es'))
    return /(?:[sxzcg]|[cs]h|[aeiouy])es$/u.test(spoken) ? spoken : spoken.slice(0, -2);
  return /[aeiouy].*[^aeiouy]e$/u.test(spoken) ? spoken.slice(0, -1) : spoken;
}
