import { readSections, wordsIn } from '../data-file.js';
import type { HarperLint } from './harper.js';
import { baseOfPast, baseOfThirdPerson, COMMON_VERBS } from './word-forms.js';

const DATA = readSections(import.meta.url, 'harper-false-friends.txt');
const set = (section: string) => new Set(wordsIn(DATA, section));

/** A finding of Harper and the text around it. */
interface Context {
  /** The reported passage. */
  passage: string;
  /** Its first replacement, or ''. */
  replacement: string;
  /** Up to 60 characters before and after the passage. */
  textBefore: string;
  textAfter: string;
  /** The word before the passage, or '' if punctuation or nothing is before it. */
  before: string;
  /** The text after the passage up to the next space, with its punctuation. */
  after: string;
  /** Returns how often a word, in lower case, occurs in 50 million words. */
  frequency: (word: string) => number;
}

/** By Harper's rule: returns true if the passage is correct English that Harper misjudges. */
const FALSE_FRIENDS: Readonly<Record<string, (context: Context) => boolean>> = {
  AnA: isRightArticle,
  // "most newer languages", "more honest", "the more faster runners there are"
  AdjectiveDoubleDegree: ({ passage, before }) =>
    (/^the$/i.test(before) && /^more/i.test(passage)) ||
    /^most \w+er$|(?:hon|mod|earn|manif)est$/i.test(passage),
  // "this may take a while", "for quite a while"
  AWhile: ({ replacement }) => replacement.toLowerCase() === 'awhile',
  // "this is case sensitive", but "a case-sensitive name"
  CaseSensitive: ({ after }) => !/^[a-z]/.test(after) || FUNCTION_WORDS.has(after),
  // "They discussed about twenty topics"
  Discuss: ({ after }) =>
    /^(?:\d|half|one|two|three|four|five|six|seven|eight|nine|ten|a (?:dozen|hundred)|twen|thir|for|fif)/i.test(
      after,
    ),
  // "the collective will must", "who would dare"
  DoubleModal: ({ passage, before }) =>
    /dare|need|^(\w+) \1$/i.test(passage) || !SUBJECTS.has(before.toLowerCase()),
  // "for while unions were legal"
  ForAWhile: ({ after, textAfter }) =>
    /^\s*[\p{L}]/u.test(textAfter) && !/^(?:now|then|before|and|but|to|in|at)$/.test(after),
  // "every one of them"
  Everyone: ({ after }) => after === 'of',
  // "a Google search"
  GoogleNames: ({ passage }) => /^\p{Lu}/u.test(passage),
  // "without a flag day"
  Holidays: ({ passage }) => /^(?:flag|labor|boxing) day$/i.test(passage),
  // "the 8th day at noon"
  HyphenateNumberDay: ({ textBefore }) => /\d(?:st|nd|rd|th)$/i.test(textBefore),
  // "they differ in details"
  InDetail: ({ before }) => /^(?:differ|vary|varie|interest)/.test(before),
  ItsPossessive: ({ before }) => !PREPOSITIONS.has(before.toLowerCase()),
  // "They let loose", "let superscripts go": only "Let go home"
  LetsConfusion: ({ passage, before, after }) =>
    /^let$/i.test(passage) && (before !== '' || !COMMON_VERBS.has(after)),
  // "a very long time ago"
  LongTimeAgo: ({ before }) => /^(?:very|really|pretty|quite|fairly|rather|so)$/i.test(before),
  // "Say no to drugs"
  NotTo: ({ passage, before }) =>
    passage.startsWith('N') ||
    /^(?:say|says|said|saying|vote|votes|voted|answers?|answered|or|a|of)$/i.test(before),
  // "special effects", "many believe"
  NounVerbConfusion: ({ passage, before }) =>
    /^effect|^affect/i.test(passage) ||
    (passage === 'believe' && /^(?:many|some|few|most|others|all|several)$/i.test(before)),
  // "in the 1990's best film"
  PluralDecades: ({ passage, before, after }) =>
    !/^\d{3,4}['’]s$/.test(passage) ||
    !/^(?:the|early|late|mid)$/i.test(before) ||
    (/^[a-z]/.test(after) && !FUNCTION_WORDS.has(after)),
  PossessiveYour: isAddress,
  // "a lot depends on it"
  QuantifierNeedsOf: ({ passage, textBefore }) =>
    /couple/i.test(passage) ||
    !/\b(?:are|is|was|were|have|has|had|with|see|saw|need|want|know|learn|make|made|get|got|spend|of|for|eat|drink|buy|bought) an? $/i.test(
      textBefore.replace(/\s+/g, ' '),
    ),
  PronounVerbAgreement: isRightVerb,
  PronounInflectionBe: isRightVerb,
  // "as ITS did and VMS does"
  SimplePastToPastParticiple: ({ before }) => /^\p{Lu}{2}/u.test(before),
  SomeWithoutArticle: ({ passage }) => / Some$/.test(passage),
  // "They aver that"
  ThatThan: ({ before }) => !COMPARATIVES.has(before.toLowerCase()),
  // "More then came"
  ThenThan: ({ after }) => {
    const word = after.replace(/\W+$/, '');
    return /(?:ed|[^s]s)$/.test(word) || baseOfPast(word) !== undefined;
  },
  // "Will charging more help?"
  WillNonLemma: ({ passage }) => /^W/.test(passage),
  // "the World Wide Web"
  Worldwide: ({ passage }) => passage === 'World Wide',
};

const SUBJECTS = set('subjects');
const PREPOSITIONS = set('prepositions');
const FUNCTION_WORDS = set('function words');
const CLAUSE_OPENERS = set('clause openers');
const COMPARATIVES = set('comparatives');
const ADDRESSED = set('addressed');

/** Returns true for correct English that Harper misjudges, by the surrounding words. */
export function isHarpersFalseFriend(
  lint: HarperLint,
  text: string,
  frequency: (word: string) => number,
): boolean {
  const textBefore = text.slice(Math.max(0, lint.start - 60), lint.start);
  const textAfter = text.slice(lint.end, lint.end + 60);
  const context: Context = {
    passage: text.slice(lint.start, lint.end),
    replacement: lint.replacements[0] ?? '',
    textBefore,
    textAfter,
    before: /([\p{L}'’]+)\s+$/u.exec(textBefore)?.[1] ?? '',
    after: /^\s*(\S+)/u.exec(textAfter)?.[1] ?? '',
    frequency,
  };
  const { passage, before, after } = context;
  // "I was broke", but "it was broke by the storm"
  if (passage === 'broke')
    return (
      (/^(?:am|is|are|was|were|be|been|being|go|going|went)$/i.test(before) && after !== 'by') ||
      /['’]s$/.test(before)
    );
  // "Their being late", "their right to vote"
  if (/^their$/i.test(passage)) return /^(?:being|right)/.test(after);
  return FALSE_FRIENDS[lint.rule.name]?.(context) ?? false;
}

/**
 * Returns true for a letter that stands for a thing ("Appendix A", "if a and b"), for sounds that Harper does not know
 * ("a unanimous vote", "an hour"), and for words and abbreviations whose sound is unknown.
 */
function isRightArticle({ passage, textBefore, textAfter, after, frequency }: Context): boolean {
  // "PDF/A", "17(a)", "*(a + i)", "‘a’"
  if (/[^\s"“(]$/u.test(textBefore) || !/^\s+["“‘(]?\p{L}/u.test(textAfter)) return true;
  // "into A unless", but not at the start of a sentence.
  if (passage === 'A' && !/(?:^\s*|[.!?:]["”)]?\s+|[。！？：]\s*)["“(]?$/u.test(textBefore))
    return true;
  const word = /^["“‘(]?([\p{L}'’-]+)/u.exec(after)?.[1] ?? '';
  const lower = word.toLowerCase();
  if (FUNCTION_WORDS.has(lower)) return true;
  if (/^\p{Lu}[\p{Lu}\d]*$|^\p{Lu}\p{Lu}/u.test(word) || /^["“‘(]?\p{L}[-.\d]|\d/u.test(after))
    return true;
  // "an rsync", "a ftell"
  if (!/[aeiouy]/.test(lower) || frequency(lower.replace(/[-'’].*$/, '')) === 0) return true;
  if (/^(?:herb|homage|hist|hotel)/.test(lower)) return true;
  return passage.toLowerCase() === 'a' ? CONSONANT_SOUND.test(lower) : VOWEL_SOUND.test(lower);
}

const CONSONANT_SOUND =
  /^(?:uni(?!n[a-z]|m)|una(?:ry|nim)|us[aeu]|usb|ur[il]|eu|ewe|one(?![a-z])|once|ouija|ubi|ubu|uti|ute|ufo|uku|ura|ure)/;
const VOWEL_SOUND = /^(?:hour|honest|hono|heir)/;

/** "You guys", "You fool!": the reader is addressed, so nothing belongs to "you". */
function isAddress({ after, textBefore, frequency }: Context): boolean {
  const word = after.toLowerCase().replace(/[^\p{L}'’-]+$/u, '');
  if (ADDRESSED.has(word) || word.endsWith('s') || /!$/.test(after)) return true;
  return /["“‘']$/u.test(textBefore) || frequency(word) === 0;
}

/**
 * Returns true unless the pronoun before the verb is clearly its subject: "both you and he are", "what I told you is
 * true", "if it were". `passage` is the verb.
 */
function isRightVerb({ passage, before, textBefore }: Context): boolean {
  const pronoun = before.toLowerCase();
  if (!SUBJECTS.has(pronoun)) return true;
  const verb = passage.toLowerCase().replace('’', "'");
  if (!AUXILIARIES.has(verb) && !COMMON_VERBS.has(verb) && baseOfThirdPerson(verb) === undefined)
    return true;
  const earlier = textBefore.slice(0, textBefore.trimEnd().length - before.length).trimEnd();
  const prior = /[\p{L}'’]+$/u.exec(earlier)?.[0].toLowerCase() ?? '';
  // "If it were true", "as though he were".
  if (verb === 'were' && !/(?:^|[.!?]|\b(?:because|but|when|and))$/i.test(earlier)) return true;
  // "He suggests that she go."
  if (/^(?:and|or|of|that|than|like|suggest|insist|demand|propose|recommend|lest)/.test(prior))
    return true;
  if (prior === '' || CLAUSE_OPENERS.has(prior)) return false;
  // "You" and "it" may be objects: "what I told you is true".
  return pronoun === 'you' || pronoun === 'it';
}

const AUXILIARIES = new Set(
  "is are was were am be has have do does don't doesn't isn't aren't wasn't weren't hasn't haven't".split(
    ' ',
  ),
);
