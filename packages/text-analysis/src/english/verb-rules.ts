import { pairsIn, readSections, wordsIn } from '../data-file.js';
import {
  isCountedPlural,
  isPartOfCompound,
  isSentenceStart,
  lowerAt,
  MODALS,
  posAt,
  replaced,
  type TaggedRule,
  type WordKnowledge,
} from './tagged-rule.js';
import type { Token } from './tagger.js';
import {
  baseOfThirdPerson,
  COMMON_VERBS,
  gerundOf,
  participleOf,
  pastOf,
  pastOfParticiple,
  singularOf,
  thirdPersonOf,
} from './word-forms.js';

const DATA = readSections(import.meta.url, 'verb-rules.txt');
const set = (section: string) => new Set(wordsIn(DATA, section));

const PLAIN_VERBS = set('plain verbs');
const GROUPS = set('groups');
const SUBJUNCTIVE = set('subjunctive');

/** Returns the base of `argues` or `seems`, also if the verb is not in the list of common ones. */
function baseOfAnyThirdPerson(word: string, words: WordKnowledge): string | undefined {
  const common = baseOfThirdPerson(word);
  if (common !== undefined) return common;
  if (!/[a-z]{3}s$/.test(word) || word.endsWith('ss')) return undefined;
  const bases = [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`];
  return bases.find(
    (base) =>
      thirdPersonOf(base) === word &&
      (PLAIN_VERBS.has(base) || (words.frequency(base) >= 100 && isMainlyVerb(base, words))),
  );
}

/** Returns true if a word is used as a verb often enough: its other forms are frequent. */
function isMainlyVerb(base: string, words: WordKnowledge): boolean {
  const uses = words.frequency(gerundOf(base)) + words.frequency(pastOf(base));
  return uses >= 0.3 * words.frequency(base);
}

/** Returns the base of `expected` or `planned`. */
function baseOfRegularPast(word: string, words: WordKnowledge): string | undefined {
  if (!/[a-z]{3}ed$/.test(word)) return undefined;
  const stem = word.slice(0, -2);
  const bases = [stem, `${stem}e`, stem.slice(0, -1), `${stem.slice(0, -1)}y`];
  return bases.find((base) => pastOf(base) === word && words.frequency(base) >= 200);
}

const DO_NOT = /^(?:didn't|doesn't|don't)$/;
const NEGATED = /^(?:did|does|do)$/;

/** `would argues`, `didn't expected`: verbs that the list of common ones does not contain. */
const plainVerbAfterModal: TaggedRule = {
  ruleId: 'grammar.plain-verb',
  category: 'grammar',
  severity: 'error',
  explanation:
    'Verbs like "do", "did", "can", "will" and "should" are followed by the base form of a verb, without an ending.',
  example: 'They would {argues=>argue} about it.',
  check(tokens, at, words) {
    const verb = tokens[at];
    if (verb?.pos !== 'VERB' || verb.isMasked || !/^[a-z]+$/.test(verb.text)) return null;
    if (verb.lower === 'needs' || isPartOfCompound(tokens, at)) return null;
    const auxiliary = auxiliaryBefore(tokens, at);
    if (auxiliary === undefined) return null;
    const base = baseOfAnyThirdPerson(verb.lower, words) ?? baseOfRegularPast(verb.lower, words);
    if (base === undefined || base === verb.lower) return null;
    return replaced(verb, `Use "${base}" after "${auxiliary}".`, base);
  },
};

/** Returns the modal or negated form of "do" that this verb follows. */
function auxiliaryBefore(tokens: readonly Token[], at: number): string | undefined {
  const before = lowerAt(tokens, at - 1);
  if (DO_NOT.test(before)) return before;
  if (before === 'not' && NEGATED.test(lowerAt(tokens, at - 2))) return lowerAt(tokens, at - 2);
  if (!MODALS.has(before)) return undefined;
  // "The can opened", "against their will worked", "Will started": only after a subject.
  const subject = tokens[at - 2];
  if (!subject || !/^(?:PRON|NOUN|PROPN)$/.test(subject.pos)) return undefined;
  if (/^\p{Lu}/u.test(tokens[at - 1]?.text ?? '')) return undefined;
  return /^(?:my|your|his|her|its|our|their|that|this)$/.test(subject.lower) ? undefined : before;
}

/** `want buy`, `is able do`: "to" is missing. */
const missingTo: TaggedRule = {
  ruleId: 'grammar.missing-to',
  category: 'grammar',
  severity: 'error',
  explanation: 'After "want", "decide", "tend" and "able", a verb takes "to": I want to go.',
  example: 'They want {buy=>to buy} it.',
  check(tokens, at) {
    const verb = tokens[at];
    const before = lowerAt(tokens, at - 1);
    if (!verb || verb.isMasked || !BEFORE_TO.has(before)) return null;
    if (!verb.blankBefore || isPartOfCompound(tokens, at)) return null;
    const isVerb =
      PLAIN_VERBS.has(verb.lower) ||
      (before.endsWith('able') && /^(?:do|be|have|use|work|play)$/.test(verb.lower));
    if (!isVerb) return null;
    // "What they want happen", "those who decide become", "the abler, the more able become"
    if (/^(?:what|who|all|those|that|which)$/.test(lowerAt(tokens, at - 3))) return null;
    if (/^(?:who|that|which|more|as|the)$/.test(lowerAt(tokens, at - 2))) return null;
    return replaced(verb, `Use "to" before "${verb.text}".`, `to ${verb.text}`);
  },
};

const BEFORE_TO = set('before to');

/** `will be recognize`, `has been create`: "be" is followed by a participle. */
const participleAfterBe: TaggedRule = {
  ruleId: 'grammar.participle-after-be',
  category: 'grammar',
  severity: 'error',
  explanation: 'After "be" and "been", use a participle: it will be done, it has been seen.',
  example: 'It will be {solve=>solved} soon.',
  check(tokens, at) {
    const verb = tokens[at];
    if (!verb || !PLAIN_VERBS.has(verb.lower) || verb.isMasked) return null;
    // "It may be make or break": many write "may be" for "maybe".
    const be = lowerAt(tokens, at - 1);
    const before = lowerAt(tokens, at - 2);
    const isPassive =
      (be === 'be' && !/^m(?:ay|ight)$/.test(before) && (MODALS.has(before) || before === 'to')) ||
      (be === 'been' && /^(?:has|have|had|already|just|not|never)$/.test(before));
    const participle = participleOf(verb.lower);
    if (/^(?:seem|appear|happen|occur|exist|belong|tend|become|arrive)$/.test(verb.lower))
      return null;
    if (!isPassive || participle === verb.lower || isPartOfCompound(tokens, at)) return null;
    return replaced(verb, `Use the participle "${participle}" after "${be}".`, participle);
  },
};

/** `I seen it`, `he gone home`: the auxiliary is missing. */
const loneParticiple: TaggedRule = {
  ruleId: 'grammar.lone-participle',
  category: 'grammar',
  severity: 'error',
  explanation:
    'A participle such as "gone" or "seen" needs "have": he has gone. Without it, use the past: he went.',
  example: 'Yesterday I {seen=>saw} him.',
  check(tokens, at) {
    const verb = tokens[at];
    const subject = lowerAt(tokens, at - 1);
    if (!verb || !/^(?:i|he|she|we|they)$/.test(subject)) return null;
    const past = pastOfParticiple(verb.lower);
    if (past === undefined || !beginsClause(tokens, at - 1)) return null;
    const has = /^(?:he|she)$/.test(subject) ? 'has' : 'have';
    const perfect = `${has} ${verb.lower}`;
    const isBeen = verb.lower === 'been';
    const [first, second] = isBeen ? [perfect, past] : [past, perfect];
    return replaced(verb, `Use "${first}" or "${second}".`, first, second);
  },
};

const AUXILIARY =
  /^(?:have|has|had|was|were|is|are|am|be|been|get|got|haven't|hasn't|hadn't|ha|'ve)$/;

/** Returns true for the subject of a statement: at its start or after a conjunction, without an auxiliary before. */
function beginsClause(tokens: readonly Token[], subject: number): boolean {
  if (isSentenceStart(tokens, subject)) return true;
  const before = lowerAt(tokens, subject - 1);
  if (
    !/^(?:because|but|when|while|where|so|and|that|if|,|yesterday|then|before|after)$/.test(before)
  )
    return false;
  for (let at = subject - 1; at >= Math.max(0, subject - 10); at -= 1) {
    const word = lowerAt(tokens, at);
    if (/^[.!?;]$/.test(word)) break;
    if (AUXILIARY.test(word) || SUBJUNCTIVE.has(word) || MODALS.has(word)) return false;
    if (/^(?:do|does|did|let|make|makes|made|see|saw|hear|heard|help)$/.test(word)) return false;
  }
  return true;
}

/** `a person who want`, `everyone who have`: the verb agrees with the word before "who". */
const verbAfterWho: TaggedRule = {
  ruleId: 'grammar.verb-after-who',
  category: 'grammar',
  severity: 'error',
  explanation: 'After "who" and "that", the verb agrees with the word before: a person who wants.',
  example: 'A person who {want=>wants} it asks.',
  check(tokens, at) {
    const verb = tokens[at];
    if (!verb || !/^(?:who|that)$/.test(lowerAt(tokens, at - 1)) || verb.isMasked) return null;
    if (!isPlainOrHave(verb.lower) || !/^(?:VERB|AUX)$/.test(verb.pos)) return null;
    if (!isOnePerson(tokens, at - 2)) return null;
    const right = thirdPersonOf(verb.lower);
    return replaced(verb, `Use "${right}" with "${lowerAt(tokens, at - 2)}".`, right);
  },
};

const isPlainOrHave = (verb: string) =>
  PLAIN_VERBS.has(verb) || /^(?:have|do|want|need|try|live|like|work|use|play|help)$/.test(verb);

/** Returns true for "everyone", "somebody" and "a person". */
function isOnePerson(tokens: readonly Token[], at: number): boolean {
  const word = lowerAt(tokens, at);
  if (/^(?:every|some|any)(?:one|body)$/.test(word)) return true;
  if (posAt(tokens, at) !== 'NOUN' || word.endsWith('s') || GROUPS.has(word)) return false;
  if (singularOf(word) !== undefined) return false;
  const isAdjective = posAt(tokens, at - 1) === 'ADJ';
  const article = isAdjective ? at - 2 : at - 1;
  if (!/^(?:an?|every|each)$/.test(lowerAt(tokens, article))) return false;
  // "I prefer that a person who want"
  return !SUBJUNCTIVE.has(lowerAt(tokens, article - 2));
}

/** `the learner tend`, `he or she have`: a singular subject and a verb without -s. */
const verbOfOneThing: TaggedRule = {
  ruleId: 'grammar.verb-of-one',
  category: 'grammar',
  severity: 'warning',
  explanation:
    'In the present tense, verbs take -s after a singular subject such as "she" or "my brother".',
  example: 'The learner {tend=>tends} to forget.',
  check(tokens, at) {
    const verb = tokens[at];
    if (!verb || verb.isMasked || !/^(?:VERB|AUX)$/.test(verb.pos)) return null;
    const isRight = isHeOrShe(tokens, at - 1)
      ? isPlainOrHave(verb.lower)
      : (PLAIN_VERBS.has(verb.lower) || AUXILIARIES_OF_MANY.test(verb.lower)) &&
        isSubjectOfOne(tokens, at - 1);
    if (!isRight || isPartOfCompound(tokens, at)) return null;
    // "Come rain or shine", "come what may"
    if (verb.lower === 'come' && /^(?:NOUN|PRON)$/.test(posAt(tokens, at + 1))) return null;
    const right = verb.lower === "don't" ? "doesn't" : thirdPersonOf(verb.lower);
    return replaced(verb, `The subject is singular, so use "${right}".`, right);
  },
};

const AUXILIARIES_OF_MANY = /^(?:have|do|don't)$/;

function isHeOrShe(tokens: readonly Token[], at: number): boolean {
  const three = `${lowerAt(tokens, at - 2)} ${lowerAt(tokens, at - 1)} ${lowerAt(tokens, at)}`;
  if (!/^(?:he or she|she or he|he \/ she)$/.test(three)) return false;
  // "Should he or she have questions", "that he or she have"
  return !tokens
    .slice(Math.max(0, at - 9), at - 2)
    .some(
      ({ lower }) =>
        SUBJUNCTIVE.has(lower) || MODALS.has(lower) || /^(?:do|does|did|let)$/.test(lower),
    );
}

/** Returns true for the last word of "the learner" or "my old computer" at the start of a statement. */
function isSubjectOfOne(tokens: readonly Token[], at: number): boolean {
  const noun = tokens[at];
  if (noun?.pos !== 'NOUN' || !/^[a-z]{3,}$/.test(noun.text) || noun.lower.endsWith('s'))
    return false;
  if (GROUPS.has(noun.lower) || singularOf(noun.lower) !== undefined) return false;
  let first = at - 1;
  while (posAt(tokens, first) === 'ADJ' && first > at - 3) first -= 1;
  // "The cat and the dog have", "those before the handler have"
  if (/^(?:and|so|before|after)$/.test(lowerAt(tokens, first - 1))) return false;
  return DETERMINERS.has(lowerAt(tokens, first)) && beginsClause(tokens, first);
}

const DETERMINERS = set('possessives and articles');

/** `People tends`, `many students thinks`: a plural subject and a verb with -s. */
const verbOfMany: TaggedRule = {
  ruleId: 'grammar.verb-of-several',
  category: 'grammar',
  severity: 'warning',
  explanation: 'The verb agrees with its subject: the dog barks, the dogs bark.',
  example: 'Young people {tends=>tend} to agree.',
  check(tokens, at, words) {
    const verb = tokens[at];
    const noun = tokens[at - 1];
    if (verb?.pos !== 'VERB' || verb.isMasked || !noun || noun.isMasked) return null;
    if (posAt(tokens, at + 1) === 'NOUN' || isPartOfCompound(tokens, at)) return null;
    const base = baseOfAnyThirdPerson(verb.lower, words);
    if (base === undefined || !isSeveralThat(noun, base, words)) return null;
    if (!areSubject(tokens, at - 1)) return null;
    return replaced(verb, `"${noun.text}" is plural, so use "${base}".`, base);
  },
};

/** Returns true for a plural noun before a verb that is rarely a noun: not "sports cars". */
function isSeveralThat(noun: Token, verb: string, words: WordKnowledge): boolean {
  if (/^(?:people|children|men|women)$/.test(noun.lower)) return true;
  if (noun.pos !== 'NOUN' || !/^[a-z]+$/.test(noun.text)) return false;
  return isCountedPlural(noun, words) && (PLAIN_VERBS.has(verb) || COMMON_VERBS.has(verb));
}

/** Returns true for the last word of "Young people", "many students" or "millions of people" where a clause starts. */
function areSubject(tokens: readonly Token[], at: number): boolean {
  if (
    lowerAt(tokens, at - 1) === 'of' &&
    /^(?:millions|thousands|hundreds|lots|lot|most|many|some)$/.test(lowerAt(tokens, at - 2))
  )
    return true;
  let first = at;
  while (
    first > at - 3 &&
    QUALIFIES.test(`${lowerAt(tokens, first - 1)} ${posAt(tokens, first - 1)}`)
  )
    first -= 1;
  // "Each of the students thinks", "one people lives"
  return (
    beginsClause(tokens, first) && !/^(?:each|every|one|an?|this)$/.test(lowerAt(tokens, first))
  );
}

const QUALIFIES = / (?:ADJ|DET|NUM)$|^(?:young|old|many|most|some|other|these|those) /;

/** `the goal that he want`, `they thinks`: after a pronoun within a sentence. */
const verbOfPronounWithin: TaggedRule = {
  ruleId: 'grammar.verb-of-one',
  category: 'grammar',
  severity: 'warning',
  explanation:
    'In the present tense, verbs take -s after a singular subject such as "she" or "my brother".',
  example: 'It is the goal that he {want=>wants}.',
  check(tokens, at) {
    const verb = tokens[at];
    if (!verb || !/^(?:he|she)$/.test(lowerAt(tokens, at - 1)) || verb.isMasked) return null;
    if (!isPlainOrHave(verb.lower)) return null;
    const before = lowerAt(tokens, at - 2);
    const follows =
      /^(?:what|which)$/.test(before) || (before === 'that' && posAt(tokens, at - 3) === 'NOUN');
    if (!follows || posAt(tokens, at + 1) === 'PART') return null;
    const hasOther = tokens
      .slice(Math.max(0, at - 9), at - 2)
      .some(
        ({ lower }) =>
          SUBJUNCTIVE.has(lower) || /^(?:suggestion|demand|request|requirement)$/.test(lower),
      );
    if (hasOther) return null;
    const right = thirdPersonOf(verb.lower);
    return replaced(verb, `The subject is singular, so use "${right}".`, right);
  },
};

const MEANT_VERBS = new Map(pairsIn(DATA, 'written for a verb'));

/** `if you success`, `I don't thing so`: a noun or adjective in the place of a verb. */
const nounForVerb: TaggedRule = {
  ruleId: 'grammar.noun-for-verb',
  category: 'grammar',
  severity: 'error',
  explanation: 'The noun and the verb are spelled differently: the proof, but to prove.',
  example: 'We will {success=>succeed} in the end.',
  check(tokens, at) {
    const noun = tokens[at];
    const right = noun && MEANT_VERBS.get(noun.lower);
    if (!noun || right === undefined || noun.isMasked || isPartOfCompound(tokens, at)) return null;
    if (!takesVerb(tokens, at - 1)) return null;
    // Harper reports "I thing" and "will threat".
    const before = lowerAt(tokens, at - 1);
    if (noun.lower === 'thing' && before === 'i') return null;
    if (noun.lower === 'threat' && MODALS.has(before)) return null;
    if (noun.lower === 'safe' && !/^(?:DET|PRON|NOUN|NUM)$/.test(posAt(tokens, at + 1)))
      return null;
    return replaced(noun, `The verb is "${right}".`, right);
  },
};

/** Returns true for a modal, "don't" or a pronoun that starts a clause: a verb follows. */
function takesVerb(tokens: readonly Token[], at: number): boolean {
  const word = lowerAt(tokens, at);
  if (DO_NOT.test(word)) return true;
  if (MODALS.has(word)) return /^(?:PRON|NOUN|PROPN)$/.test(posAt(tokens, at - 1));
  if (word === 'not')
    return MODALS.has(lowerAt(tokens, at - 1)) || NEGATED.test(lowerAt(tokens, at - 1));
  return /^(?:i|we|they|you)$/.test(word) && beginsClause(tokens, at);
}

/** `has already arrive`, `I have learn`. */
const participleAfterHave: TaggedRule = {
  ruleId: 'grammar.participle-after-have',
  category: 'grammar',
  severity: 'error',
  explanation: 'After "have", "has" and "had", use the past participle: I have gone, she has seen.',
  example: 'We have {learn=>learned} a lot.',
  check(tokens, at) {
    const verb = tokens[at];
    if (!verb || !PLAIN_VERBS.has(verb.lower) || verb.isMasked) return null;
    const participle = participleOf(verb.lower);
    if (participle === verb.lower || isPartOfCompound(tokens, at)) return null;
    const have = tokens[at - 1];
    if (!have || !isPerfect(tokens, at - 1)) return null;
    return replaced(
      verb,
      `Use "${participle}" after "${have.text}".`,
      participle,
      `to ${verb.lower}`,
    );
  },
};

/** Returns true for "have" after the subject of a statement, but not in "the tools we have allow us". */
function isPerfect(tokens: readonly Token[], at: number): boolean {
  const have = lowerAt(tokens, at);
  if (/^(?:haven't|hasn't|hadn't)$/.test(have)) return true;
  if (/^(?:already|never)$/.test(have)) return /^ha(?:ve|s|d)$/.test(lowerAt(tokens, at - 1));
  if (!/^(?:have|has|had)$/.test(have)) return false;
  const subject = lowerAt(tokens, at - 1);
  if (subject === 'who') return true;
  return /^(?:i|you|he|she|it|we|they)$/.test(subject) && beginsClause(tokens, at - 1);
}

/** `You must to install it`: a modal and a verb that the phrase rule does not know. */
const modalTo: TaggedRule = {
  ruleId: 'grammar.modal-to',
  category: 'grammar',
  severity: 'error',
  explanation:
    'Must, should, can, could, might, may and will are followed by the base form of a verb: I must go.',
  example: 'You must {to install=>install} it.',
  check(tokens, at) {
    const to = tokens[at];
    const verb = tokens[at + 1];
    if (to?.lower !== 'to' || !verb || verb.pos !== 'VERB' || verb.isMasked) return null;
    if (!/^(?:must|mustn't|should|shouldn't|cannot|can't|couldn't)$/.test(lowerAt(tokens, at - 1)))
      return null;
    // "A must to see", "they do all that they should to help"
    if (!/^(?:i|you|he|she|it|we|they)$/.test(lowerAt(tokens, at - 2))) return null;
    if (!beginsClause(tokens, at - 2)) return null;
    return {
      from: to,
      to: verb,
      message: `Do not use "to" after "${tokens[at - 1]?.text ?? ''}".`,
      replacements: [verb.text],
    };
  },
};

const NOT_OF_WHOM = set('not of whom');

/** `the dog who's bark is loud`. */
const whose: TaggedRule = {
  ruleId: 'grammar.whose-who-s',
  category: 'grammar',
  severity: 'warning',
  explanation:
    '"Who’s" is short for "who is" or "who has"; "whose" says to whom something belongs.',
  example: "The dog {who's=>whose} bark is loud sleeps.",
  check(tokens, at) {
    const who = tokens[at];
    const noun = tokens[at + 1];
    if (who?.lower !== "who's" || !noun || noun.isMasked) return null;
    if (posAt(tokens, at - 1) !== 'NOUN' || !/^[a-z]{3,}$/.test(noun.text)) return null;
    if (!/^(?:NOUN|VERB)$/.test(noun.pos) || /(?:ing|ed|en)$/.test(noun.lower)) return null;
    if (NOT_OF_WHOM.has(noun.lower)) return null;
    if (!/^(?:is|are|was|were|has|have|had|will|can)$/.test(lowerAt(tokens, at + 2))) return null;
    return replaced(who, 'This should be "whose".', 'whose');
  },
};

export const VERB_RULES: readonly TaggedRule[] = [
  plainVerbAfterModal,
  missingTo,
  participleAfterBe,
  loneParticiple,
  verbAfterWho,
  verbOfOneThing,
  verbOfMany,
  verbOfPronounWithin,
  nounForVerb,
  participleAfterHave,
  modalTo,
  whose,
];
