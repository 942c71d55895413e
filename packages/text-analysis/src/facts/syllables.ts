/** Words that the rules below get wrong: `stem: count`. */
const EXCEPTIONS = new Map<string, number>(
  (
    'area 3 areas 3 idea 3 ideas 3 ideal 3 people 2 real 1 really 2 theory 2 theories 2 lion 2 lions 2 ion 2 ions 2 prior 2 ' +
    'nuclear 3 linear 3 science 2 being 2 eye 1 eyes 1 once 1 business 2 every 2 everyone 3 everybody 4 everything 3 ' +
    'everywhere 3 evening 2 different 3 several 3 family 3 camera 3 chocolate 3 comfortable 4 interest 3 interesting 4 ' +
    'interested 4 wednesday 2 colonel 2 queue 1 queues 1 queued 1 recipe 3 recipes 3 cafe 2 forever 3 implement 3 ' +
    'implements 3 implemented 4 supplement 3 complement 3 element 3 elements 3 experiment 4 naked 2 wicked 2 sacred 2 ' +
    'hundred 2 kindred 2 hatred 2 rugged 2 crooked 2 wretched 2 beloved 3 learned 1 blessed 1 persuade 2 buoy 1 ' +
    'poem 2 poems 2 poet 2 poetry 3 does 1 doesnt 2 shoes 1 goes 1 soldier 2 soldiers 2 frontier 2 cashier 2 ' +
    'premier 2 parliament 3 marriage 2 carriage 2 miniature 4 diamond 3 friend 1 friends 1 fiend 1 ' +
    'simile 3 finale 3 apostrophe 4 catastrophe 4 hyperbole 4 epitome 4 acne 2 adobe 3 karate 3 maybe 2 ' +
    'create 2 creates 2 created 3 creature 2 creatures 2 react 2 reality 4 theater 3 theatre 3 museum 3 ' +
    'mosaic 3 chaos 2 neon 2 video 3 videos 3 rodeo 3 stereo 3 cooperate 4 coordinate 4 zoology 4 ' +
    'rhythm 2 choir 1 choirs 1 iron 2 hour 1 our 1 fire 1 world 1 squirrel 2 vegetable 4 restaurant 3 ' +
    'favourite 3 favorite 3 beautiful 3 average 3 temperature 4 laboratory 5 dictionary 4 ' +
    'asia 2 russia 2 junior 2 senior 2 genius 3 useful 2 usefulness 3 unless 2 nevertheless 4 agreed 2 freed 1 ' +
    'guest 1 ye 1 hi 1 lye 1 rye 1 bye 1 dye 1 goodbye 2 said 1 says 1 quiet 2 quietly 3 diet 2 client 2 clients 2 ' +
    'coincidence 4 reinstall 3 reuse 2 deactivate 4 preempt 2 aisle 1 isle 1 noel 2 naive 2 ukulele 4 ' +
    'database 3 metadata 4 fuel 2 cruel 2 duel 2 jewel 2 biased 2 ' +
    'argue 2 argues 2 argued 2 something 2 someone 2 sometime 2 mae 1'
  )
    .split(' ')
    .flatMap((word, index, all) =>
      index % 2 === 0 ? [[word, Number(all[index + 1])] as const] : [],
    ),
);

/** First parts of compounds whose final e is silent: `filename`, `therefore`. */
const SILENT_E_PARTS =
  /^(some|there|where|here|fore|home|life|time|name|base|file|fire|frame|line|note|pipe|store|type|space|safe|nine|house|code|cache|side|table(?=t?s?pace)|wire|white|wide|share|store|state|stage|page|place|price|make|take|mile|face|grape|lime|love|live|hope|care|use|sense|shame|game|horse|score|whole|trouble(?=some)|like|bone|stone|cheese|juice|sauce|knife|wife)(?=[bcdfghjklmnpqrstvwxz])/;

const SUFFIX_AFTER_SILENT_E =
  /(?<=[aeiouy][bcdfghjklmnpqrstvwxyz]{1,2})e(?=(?:ly|ful|fully|less|ment|ments|ness|some|ty|ties|house|work|word|time|wise|body|where|man|men|line|board)s?$)/;

/** Where two vowels side by side are two syllables, and what makes them one. Each match is a syllable more. */
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

/** Consonants that make a syllable by themselves. */
const SYLLABIC = /(?:[sz]m|thm)s?$/u;

const cache = new Map<string, number>();
const CACHED_WORDS = 20_000;

/** Syllables of an English word; of what has no vowel, one. Own rules and a list of exceptions, both tested. */
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

/** Longer runs of letters are no words, and count as so many letters make on average. */
const LONGEST_WORD = 40;
const LETTERS_OF_A_SYLLABLE = 3;

function syllablesOfPart(raw: string): number {
  if (raw.length > LONGEST_WORD) return Math.round(raw.length / LETTERS_OF_A_SYLLABLE);
  // didn't, couldn't: the n is a syllable; don't, can't: it is not.
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

/** Takes out each e that is written and not spoken, and keeps that of `table`, `boxes` and `wanted`. */
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

/** `table`, `handled`, `acres`: the e is spoken before the consonant. */
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
