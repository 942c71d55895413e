import { pairsIn } from '../data-file.js';
import { COMMA_RULES } from './comma-rules.js';
import type { Draft } from './draft.js';
import { withConfidence } from './rule-confidence.js';
import { NOUN_RULES } from './noun-rules.js';
import { PREPOSITION_RULES } from './preposition-rules.js';
import {
  DATA,
  endsNounPhrase,
  isAlsoVerb,
  isCountedPlural,
  isPartOfCompound,
  isSentenceStart,
  isSingularNoun,
  lowerAt,
  type Mistake,
  MODALS,
  NOT_PLURAL,
  posAt,
  set,
  type TaggedRule,
  type WordKnowledge,
} from './tagged-rule.js';
import type { Token } from './tagger.js';
import { VERB_RULES } from './verb-rules.js';
import {
  baseOfPast,
  baseOfThirdPerson,
  COMMON_VERBS,
  likeCase,
  participleOfPast,
  pluralOf,
  singularOf,
  thirdPersonOf,
} from './word-forms.js';

/** Returns the findings of all rules about parts of speech. */
export function taggedFindings(tokens: readonly Token[], words: WordKnowledge): Draft[] {
  const drafts: Draft[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    for (const rule of TAGGED_RULES) {
      const mistake = rule.check(tokens, at, words);
      if (mistake) drafts.push(draftOf(rule, mistake));
    }
  }
  return drafts;
}

function draftOf(rule: TaggedRule, { from, to, message, replacements }: Mistake): Draft {
  return {
    start: from.start,
    end: to.end,
    ruleId: rule.ruleId,
    category: rule.category,
    severity: rule.severity,
    message,
    explanation: rule.explanation,
    replacements: withConfidence(rule.ruleId, replacements),
  };
}

const DO_FORMS = set('forms of do');
const SUBJECTS = set('subjects');

/** `didn't went`, `does she likes`, `can speaks`: an auxiliary with a verb that is not in its base form. */
const plainVerbAfterAuxiliary: TaggedRule = {
  ruleId: 'grammar.plain-verb',
  category: 'grammar',
  severity: 'error',
  explanation:
    'Verbs like "do", "did", "can", "will" and "should" are followed by the base form of a verb, without an ending.',
  example: 'He did not {knew=>know} it.',
  check(tokens, at, words) {
    const auxiliary = tokens[at];
    const verb = auxiliary && verbOfAuxiliary(tokens, at);
    if (!verb || verb.isMasked || mayBePlain(verb.lower, auxiliary.lower)) return null;
    const base = baseOfPast(verb.lower) ?? baseOfThirdPerson(verb.lower);
    if (base === undefined || base === verb.lower || words.frequency(base) === 0) return null;
    return {
      from: verb,
      to: verb,
      message: `Use "${base}" after "${auxiliary.text}".`,
      replacements: [base],
    };
  },
};

/** "They can found it", "one must needs go", but not "they didn't saw it". */
function mayBePlain(verb: string, auxiliary: string): boolean {
  if (DO_FORMS.has(auxiliary) && /^(?:saw|felt|spoke|rose)$/.test(verb)) return false;
  return AMBIGUOUS_PAST.has(verb) || verb === 'needs';
}

/** Returns the word that must be a plain verb after an auxiliary here. */
function verbOfAuxiliary(tokens: readonly Token[], at: number): Token | undefined {
  const auxiliary = lowerAt(tokens, at);
  const isDo = DO_FORMS.has(auxiliary);
  if (!isDo && !MODALS.has(auxiliary)) return undefined;
  if (isNameOfAuxiliary(tokens, at)) return undefined;
  const following = lowerAt(tokens, at + 1);
  const isSubject = SUBJECTS.has(following) && (isDo || at === 0);
  const verb = tokens[following === 'not' || isSubject ? at + 2 : at + 1];
  if (isDo) {
    // "What he did came as a surprise": without a subject or "not", the verb may belong to another clause.
    return following === 'not' || isSubject || auxiliary.endsWith('t') ? verb : undefined;
  }
  // "The can is empty", "at will".
  if (/^(?:DET|ADP|ADJ)$/.test(posAt(tokens, at - 1))) return undefined;
  return verb && /^(?:VERB|AUX)$/.test(verb.pos) ? verb : undefined;
}

/** "May was a cold month", "Will has gone". */
function isNameOfAuxiliary(tokens: readonly Token[], at: number): boolean {
  return (
    /^(?:May|Will|Can)$/.test(tokens[at]?.text ?? '') &&
    /^(?:was|is|has|had)$/.test(lowerAt(tokens, at + 1))
  );
}

const AMBIGUOUS_PAST = set('ambiguous past');

const PLURAL_QUANTIFIERS = set('plural quantifiers');

/** `two cat`, `many student`, `these file`: a number and a noun without its -s. */
const pluralAfterNumber: TaggedRule = {
  ruleId: 'grammar.plural-after-number',
  category: 'grammar',
  severity: 'warning',
  explanation:
    'Nouns are plural after a number above one, and after many, several, few, these and those.',
  example: 'I have two {cat=>cats}.',
  check(tokens, at, words) {
    const quantifier = tokens[at];
    if (!quantifier || !PLURAL_QUANTIFIERS.has(quantifier.lower)) return null;
    if (!tokens[at + 1]?.blankBefore || isPartOfName(tokens, at)) return null;
    const isAdjective =
      posAt(tokens, at + 1) === 'ADJ' &&
      posAt(tokens, at + 2) === 'NOUN' &&
      !/(?:ing|ed)$/.test(lowerAt(tokens, at + 1));
    const next = isAdjective ? at + 2 : at + 1;
    const noun = tokens[next];
    if (!noun || !isSingularNoun(noun, words) || !endsNounPhrase(tokens[next + 1])) return null;
    if (mayBeRight(tokens, { at, next }, words)) return null;
    return {
      from: noun,
      to: noun,
      message: `Use a plural after "${quantifier.text}".`,
      replacements: [pluralOf(noun.lower)],
    };
  },
};

/** Returns true if the noun at `next` may be a verb or a part of a compound after the quantifier at `at`. */
function mayBeRight(
  tokens: readonly Token[],
  { at, next }: { at: number; next: number },
  words: WordKnowledge,
): boolean {
  const noun = lowerAt(tokens, next);
  const after = posAt(tokens, next + 1);
  // "Seven make a truck", "two session create requests"
  if (COMMON_VERBS.has(noun)) return true;
  // "These thing seem old"
  const isPlain =
    /^(?:many|several|these|those)$/.test(lowerAt(tokens, at)) &&
    COMMON_VERBS.has(lowerAt(tokens, next + 1));
  if (/^(?:DET|PRON|VERB)$/.test(after) && !(isPlain && !isAlsoVerb(noun, words))) return true;
  // "Many act on it": without a noun, the quantifier is the subject of a verb.
  if (isAlsoVerb(noun, words)) {
    if (!/^(?:VERB|AUX|ADP)$/.test(posAt(tokens, at - 1)) || after === 'ADV') return true;
    if (/^(?:down|over|up|out|aside)$/.test(lowerAt(tokens, next + 1))) return true;
  }
  // "Various speech and writing contexts"
  if (after === 'CCONJ' && isPluralNear(tokens, next + 2)) return true;
  // "These book is": the verb shows that "these" is wrong.
  return (
    /^th[eo]se$/.test(lowerAt(tokens, at)) && /^(?:is|was|has)$/.test(lowerAt(tokens, next + 1))
  );
}

/** "The two car garage", "his three year deal", "number three shirt", "World War two bomber", "May two", "one or two". */
function isPartOfName(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before) return false;
  if (/^(?:[-–—/.]|\d.*)$/.test(before.text) || before.pos === 'NUM') return true;
  if (BEFORE_NUMBER.has(before.lower))
    // "A few job"
    return before.lower !== 'a' || lowerAt(tokens, at) !== 'few';
  // "A good five cent cigar"
  if (before.pos === 'ADJ' && /^(?:an?|the)$/.test(lowerAt(tokens, at - 2))) return true;
  return at > 1 && /^\p{Lu}/u.test(before.text) && before.text !== 'I';
}

const BEFORE_NUMBER = set('before number');

/** Returns true if a plural noun follows within a few words. */
function isPluralNear(tokens: readonly Token[], from: number): boolean {
  return tokens
    .slice(from, from + 3)
    .some(({ pos, lower }) => pos === 'NOUN' && singularOf(lower) !== undefined);
}

const OF_WHOM = set('of whom');

/** `one of my friend`, `some of the student`. */
const pluralAfterOneOf: TaggedRule = {
  ruleId: 'grammar.plural-after-one-of',
  category: 'grammar',
  severity: 'error',
  explanation:
    'Phrases like "one of the" and "each of my" refer to several things: one of my friends.',
  example: 'He is one of my {friend=>friends}.',
  check(tokens, at, words) {
    if (lowerAt(tokens, at) !== 'of' || !OF_WHOM.has(lowerAt(tokens, at + 1))) return null;
    if (!/^(?:one|each|both|many|several|few|some)$/.test(lowerAt(tokens, at - 1))) return null;
    // "Several of the team", "few of the crowd".
    if (COLLECTIVE.has(lowerAt(tokens, at + 2)) && !/^(?:one|each)$/.test(lowerAt(tokens, at - 1)))
      return null;
    if (lowerAt(tokens, at - 1) === 'some' && !KIN.has(lowerAt(tokens, at + 2))) return null;
    // "Both of these work."
    if (/^th[eo]se$/.test(lowerAt(tokens, at + 1)) && COMMON_VERBS.has(lowerAt(tokens, at + 2)))
      return null;
    let next = at + 2;
    const qualifies = (place: number) =>
      posAt(tokens, place) === 'ADJ' || /^(?:most|best)$/.test(lowerAt(tokens, place));
    while (next < at + 5 && qualifies(next)) next += 1;
    const noun = tokens[next];
    if (!noun || !isSingularNoun(noun, words) || !endsNounPhrase(tokens[next + 1])) return null;
    return {
      from: noun,
      to: noun,
      message: 'This noun must be plural.',
      replacements: [pluralOf(noun.lower)],
    };
  },
};

/** `this files are`: several things need "these". */
const severalOfThis: TaggedRule = {
  ruleId: 'grammar.this-these',
  category: 'grammar',
  severity: 'warning',
  explanation: '"This" and "that" refer to one thing, "these" and "those" to several.',
  example: '{This=>These} files are old.',
  check(tokens, at, words) {
    const that = tokens[at];
    const noun = tokens[at + 1];
    if (!that || !noun || !pointsToOne(tokens, at)) return null;
    const singular = singularOf(noun.lower);
    if (singular === undefined || words.frequency(singular) < 100 || NOT_PLURAL.has(noun.lower))
      return null;
    const isSubject = AFTER_SEVERAL.test(lowerAt(tokens, at + 2));
    // "This matters.": at the start of a clause, the next word may be its verb.
    const isAlone =
      /^(?:PUNCT|ADP|PART)$/.test(posAt(tokens, at + 2)) &&
      !isPartOfCompound(tokens, at + 1) &&
      !COMMON_VERBS.has(singular) &&
      /^(?:ADP|VERB|CCONJ)$/.test(posAt(tokens, at - 1));
    if (!isSubject && !isAlone && noun.lower !== 'days') return null;
    return {
      from: that,
      to: that,
      message: `"${noun.text}" is plural.`,
      replacements: [likeCase(that.text, that.lower === 'this' ? 'these' : 'those')],
    };
  },
};

/** Words after the subject "these files". */
const AFTER_SEVERAL =
  /^(?:are|were|have|aren't|weren't|can|could|will|would|should|may|might|must)$/;

/** "This" before a noun; "that" only at the start of a sentence and not of a clause: "I know that people like it". */
function pointsToOne(tokens: readonly Token[], at: number): boolean {
  if (posAt(tokens, at + 1) !== 'NOUN') return false;
  if (lowerAt(tokens, at) === 'this') return true;
  return (
    lowerAt(tokens, at) === 'that' &&
    at === 0 &&
    posAt(tokens, 2) !== 'VERB' &&
    posAt(tokens, 3) !== 'VERB'
  );
}

/** `these book is`: a single thing needs "this". */
const oneOfThese: TaggedRule = {
  ruleId: 'grammar.this-these',
  category: 'grammar',
  severity: 'error',
  explanation: '"This" and "that" refer to one thing, "these" and "those" to several.',
  example: '{These=>This} book is new.',
  check(tokens, at, words) {
    const these = tokens[at];
    const noun = tokens[at + 1];
    if (!these || !noun || !/^(?:these|those)$/.test(these.lower) || !isSingularNoun(noun, words))
      return null;
    if (!/^(?:is|was|has)$/.test(lowerAt(tokens, at + 2))) return null;
    return {
      from: these,
      to: these,
      message: `"${noun.text}" is singular.`,
      replacements: [likeCase(these.text, these.lower === 'these' ? 'this' : 'that')],
    };
  },
};

/** `every students`, `another things`: these need a singular. */
const singularAfterEach: TaggedRule = {
  ruleId: 'grammar.singular-after-each',
  category: 'grammar',
  severity: 'warning',
  explanation: '"Each", "every" and "another" refer to one thing at a time.',
  example: 'Every {dogs=>dog} has its day.',
  check(tokens, at, words) {
    const each = tokens[at];
    const noun = tokens[at + 1];
    if (!each || !noun || !/^(?:each|every|another)$/.test(each.lower)) return null;
    const singular = singularOf(noun.lower);
    if (noun.pos !== 'NOUN' || singular === undefined || NOT_PLURAL.has(noun.lower)) return null;
    if (words.frequency(singular) < 100 || COMMON_VERBS.has(singular)) return null;
    // "What each wishes", "another states that"
    if (isAlsoVerb(singular, words) || noun.lower === 'others') return null;
    // "Every sports team"
    if (posAt(tokens, at + 2) === 'NOUN' || isPartOfCompound(tokens, at + 1)) return null;
    // "They each", "are each".
    if (each.lower === 'each' && /^(?:they|are|we|of)$/.test(lowerAt(tokens, at - 1))) return null;
    return {
      from: noun,
      to: noun,
      message: `Use a singular after "${each.text}".`,
      replacements: [singular],
    };
  },
};

const KIN = set('kin');
const POSSESSIVES = set('possessives');
const LEARNED_VERBS = set('learned verbs');

/** `my brother work`: the third person takes -s. */
const verbOfOnePerson: TaggedRule = {
  ruleId: 'grammar.verb-of-one',
  category: 'grammar',
  severity: 'warning',
  explanation:
    'In the present tense, verbs take -s after a singular subject such as "she" or "my brother".',
  example: 'My brother {work=>works} in a bank.',
  check(tokens, at) {
    const verb = tokens[at + 2];
    if (!verb || !POSSESSIVES.has(lowerAt(tokens, at)) || !KIN.has(lowerAt(tokens, at + 1)))
      return null;
    if (!LEARNED_VERBS.has(verb.lower)) return null;
    // "If your friend need not pay", "my teacher come rain or shine".
    if (/^(?:not|n't|rain|,)$/.test(lowerAt(tokens, at + 3))) return null;
    const before = lowerAt(tokens, at - 1);
    // "Let my brother work", "did your mother say", "I and my friend go", "both my wife".
    if (!/^(?:[.!?,;]|because|that|but|when|while|where|if|and|)$/.test(before)) return null;
    if (before === 'and' && at > 1 && posAt(tokens, at - 2) !== 'PUNCT') return null;
    return {
      from: verb,
      to: verb,
      message: `The subject is singular, so use "${thirdPersonOf(verb.lower)}".`,
      replacements: [thirdPersonOf(verb.lower)],
    };
  },
};

/** `the dogs barks`: a plural subject takes no -s. */
const verbOfSeveral: TaggedRule = {
  ruleId: 'grammar.verb-of-several',
  category: 'grammar',
  severity: 'warning',
  explanation: 'The verb agrees with its subject: the dog barks, the dogs bark.',
  example: 'The dogs {barks=>bark} all night.',
  check(tokens, at, words) {
    const noun = tokens[at + 1];
    const verb = tokens[at + 2];
    if (
      !noun ||
      !verb ||
      !/^(?:the|these|those|my|our|his|her|their|some|many)$/.test(lowerAt(tokens, at))
    )
      return null;
    if (!followsPunctuation(tokens, at)) return null;
    const singular = singularOf(noun.lower);
    if (noun.pos !== 'NOUN' || singular === undefined || NOT_PLURAL.has(noun.lower)) return null;
    if (
      words.frequency(singular) < 100 ||
      posAt(tokens, at + 3) === 'NOUN' ||
      lowerAt(tokens, at + 3) === 'of'
    )
      return null;
    const base =
      PLURAL_BE[verb.lower] ?? (verb.pos === 'VERB' ? baseOfThirdPerson(verb.lower) : undefined);
    if (base === undefined) return null;
    return {
      from: verb,
      to: verb,
      message: `"${noun.text}" is plural, so use "${base}".`,
      replacements: [base],
    };
  },
};

/** Returns true at the start or after punctuation, but not in "the goal of . . . these activities was". */
function followsPunctuation(tokens: readonly Token[], at: number): boolean {
  if (at === 0) return true;
  if (posAt(tokens, at - 1) !== 'PUNCT') return false;
  return lowerAt(tokens, at - 1) !== '.' || /^\p{Lu}/u.test(tokens[at]?.text ?? '');
}

const PLURAL_BE: Readonly<Record<string, string>> = { is: 'are', was: 'were', has: 'have' };

/** `much cars`: much goes with things that are not counted. */
const manyOfSeveral: TaggedRule = {
  ruleId: 'grammar.much-many',
  category: 'grammar',
  severity: 'error',
  explanation: 'For example: much water, but many people.',
  example: 'They sold {much=>many} tickets.',
  check(tokens, at, words) {
    const much = tokens[at];
    const noun = tokens[at + 1];
    if (much?.lower !== 'much' || noun?.pos !== 'NOUN' || !/^[a-z]+$/.test(noun.text)) return null;
    // "It is pretty much years ago", "as much students as teachers decide"
    if (/^(?:pretty|very|as|is|was|not|cost|costs)$/.test(lowerAt(tokens, at - 1))) return null;
    if (!isCountedPlural(noun, words) || isPartOfCompound(tokens, at + 1)) return null;
    // "They are not so much threads as trees"
    if (lowerAt(tokens, at + 2) === 'as' || noun.isMasked) return null;
    if (!endsNounPhrase(tokens[at + 2])) return null;
    return {
      from: much,
      to: much,
      message: 'Use "many" for things that you can count.',
      replacements: [likeCase(much.text, 'many')],
    };
  },
};

const COLLECTIVE = set('collective');
const SINGULAR_OF: Record<string, string> = {
  are: 'is',
  were: 'was',
  have: 'has',
  "aren't": "isn't",
  "weren't": "wasn't",
};

/** `The quality of the products are bad`: the verb agrees with the first noun. */
const verbAfterOf: TaggedRule = {
  ruleId: 'grammar.verb-after-of',
  category: 'grammar',
  severity: 'warning',
  explanation: 'In "the quality of the products", the subject is "quality": the quality is bad.',
  example: 'The quality of the products {are=>is} bad.',
  check(tokens, at) {
    const verb = tokens[at];
    const singular = verb && SINGULAR_OF[verb.lower];
    if (!verb || singular === undefined || posAt(tokens, at - 1) !== 'NOUN') return null;
    if (singularOf(lowerAt(tokens, at - 1)) === undefined) return null;
    let of = at - 2;
    while (of > at - 6 && /^(?:DET|ADJ|NOUN|PRON)$/.test(posAt(tokens, of))) of -= 1;
    const head = tokens[of - 1];
    if (lowerAt(tokens, of) !== 'of' || !head || !isOneThing(head) || !beginsClause(tokens, of - 2))
      return null;
    return {
      from: verb,
      to: verb,
      message: `The verb must agree with "${head.text}", which is singular.`,
      replacements: [singular],
    };
  },
};

const isOneThing = (noun: Token) =>
  noun.pos === 'NOUN' &&
  /^[a-z]{3,}$/.test(noun.text) &&
  !noun.lower.endsWith('s') &&
  !COLLECTIVE.has(noun.lower);

/** Returns true if only an article and adjectives separate this token from the start of a clause. */
function beginsClause(tokens: readonly Token[], from: number): boolean {
  let first = from;
  while (first > 0 && /^(?:ADJ|NOUN)$/.test(posAt(tokens, first))) first -= 1;
  if (!/^(?:the|this|that|my|our|his|her|their|a|an|its|your)$/.test(lowerAt(tokens, first)))
    return false;
  // "The kids and the owner of the dogs are": a plural subject.
  return first === 0 || /^(?:[.!?;:]|that|because)$/.test(lowerAt(tokens, first - 1));
}

/** `such beautiful that`: an adjective without a noun needs "so". */
const suchSo: TaggedRule = {
  ruleId: 'grammar.such-so',
  category: 'grammar',
  severity: 'error',
  explanation: 'For example: it was so cold that…, but it was such a cold day that…',
  example: 'It was {such=>so} cold that we left.',
  check(tokens, at) {
    const such = tokens[at];
    if (such?.lower !== 'such' || tokens[at + 1]?.pos !== 'ADJ' || tokens[at + 2]?.lower !== 'that')
      return null;
    return {
      from: such,
      to: such,
      message: 'Use "so" before an adjective without a noun.',
      replacements: [likeCase(such.text, 'so')],
    };
  },
};

const MANNER_VERBS = set('manner verbs');
const ADVERBS = new Map(pairsIn(DATA, 'adverbs'));

/** `He drives very careful`: an adverb is needed. */
const adverb: TaggedRule = {
  ruleId: 'grammar.adverb',
  category: 'grammar',
  severity: 'warning',
  explanation:
    'An adjective describes a thing (a careful driver); an adverb describes how something is done (he drives carefully).',
  example: 'He drives very {careful=>carefully}.',
  check(tokens, at) {
    const adjective = tokens[at];
    const right = adjective && ADVERBS.get(adjective.lower);
    if (!adjective || right === undefined) return null;
    const ends =
      posAt(tokens, at + 1) === 'PUNCT' ||
      /^(?:and|because|but|than|when|on|in|)$/.test(lowerAt(tokens, at + 1));
    if (!ends) return null;
    let before = at - 1;
    if (/^(?:very|more|so|really|too|quite)$/.test(lowerAt(tokens, before))) before -= 1;
    if (/^(?:it|english|german|french|spanish|fast)$/.test(lowerAt(tokens, before))) before -= 1;
    if (!MANNER_VERBS.has(lowerAt(tokens, before)) || posAt(tokens, before) === 'NOUN') return null;
    // "The river runs slow", "the motor ran quiet".
    if (/^(?:slow|quiet)$/.test(adjective.lower) && /^r[au]n/.test(lowerAt(tokens, before)))
      return null;
    return {
      from: adjective,
      to: adjective,
      message: `Use the adverb "${right}" here.`,
      replacements: [right],
    };
  },
};

const BASE_VERBS = new Set([...COMMON_VERBS, ...LEARNED_VERBS]);
const CLAUSE_STARTS = set('clause starts');

/** `She go home`: only at the start of a clause, where nothing asks for a base form. */
const verbOfPronoun: TaggedRule = {
  ruleId: 'grammar.verb-of-one',
  category: 'grammar',
  severity: 'warning',
  explanation:
    'In the present tense, verbs take -s after a singular subject such as "she" or "my brother".',
  example: 'She {go=>goes} home.',
  check(tokens, at) {
    const verb = tokens[at + 1];
    if (!verb || verb.pos !== 'VERB' || !/^(?:he|she|it)$/.test(lowerAt(tokens, at))) return null;
    if (!BASE_VERBS.has(verb.lower) || SAME_PAST.has(verb.lower) || verb.isMasked) return null;
    if (!verb.blankBefore || !startsClause(tokens, at) || isPartOfCompound(tokens, at + 1))
      return null;
    // "She use to live here" means "used to". "He need not pay", "she need only ask".
    const verbAndNext = `${verb.lower} ${lowerAt(tokens, at + 2)}`;
    if (/^(?:use to|need (?:only|never|hardly)|\w+ (?:not|n't))$/.test(verbAndNext)) return null;
    return {
      from: verb,
      to: verb,
      message: `The subject is singular, so use "${thirdPersonOf(verb.lower)}".`,
      replacements: [thirdPersonOf(verb.lower)],
    };
  },
};

const SAME_PAST = set('same past');

/** Returns true at the start of a sentence that is no question, or after a word such as "because". */
function startsClause(tokens: readonly Token[], at: number): boolean {
  if (isSentenceStart(tokens, at)) return true;
  const before = lowerAt(tokens, at - 1);
  if (!CLAUSE_STARTS.has(before)) return false;
  // "Why should he stay and she go?"
  for (let other = at - 2; other >= Math.max(0, at - 12); other -= 1) {
    const word = lowerAt(tokens, other);
    if (/^[.!?]$/.test(word)) break;
    if (
      MODALS.has(word) ||
      DO_FORMS.has(word) ||
      /^(?:let|make|made|help|have|had|see|saw|hear|heard|watch|watched)$/.test(word)
    )
      return false;
  }
  return true;
}

/** `has already went`. Harper finds these without an adverb. */
const participleAfterHave: TaggedRule = {
  ruleId: 'grammar.participle-after-have',
  category: 'grammar',
  severity: 'error',
  explanation: 'After "have", "has" and "had", use the past participle: I have gone, she has seen.',
  example: 'She has already {went=>gone} home.',
  check(tokens, at) {
    if (
      !/^(?:have|has|had|haven't|hasn't|hadn't|i've|we've|they've|you've)$/.test(
        lowerAt(tokens, at),
      )
    )
      return null;
    const hasAdverb = /^(?:already|never|ever|just|always|not|also|recently|only|often)$/.test(
      lowerAt(tokens, at + 1),
    );
    const verb = tokens[hasAdverb ? at + 2 : at + 1];
    if (!verb || verb.isMasked) return null;
    if (!hasAdverb && verb.lower !== 'saw') return null;
    const participle = participleOfPast(verb.lower);
    if (participle === undefined || !/^(?:VERB|AUX)$/.test(verb.pos)) return null;
    return {
      from: verb,
      to: verb,
      message: `Use "${participle}" after "${tokens[at]?.text ?? ''}".`,
      replacements: [participle],
    };
  },
};

/** `There is many problems`. */
const severalOfThereIs: TaggedRule = {
  ruleId: 'grammar.there-are',
  category: 'grammar',
  severity: 'warning',
  explanation: 'The verb agrees with what follows: there is a reason, there are reasons.',
  example: 'There {is=>are} many reasons.',
  check(tokens, at, words) {
    const verb = tokens[at + 1];
    if (lowerAt(tokens, at) !== 'there' || !verb || !/^(?:is|was)$/.test(verb.lower)) return null;
    // "The kids there is", "what is there is"
    if (!isSentenceStart(tokens, at) && !BEFORE_THERE.has(lowerAt(tokens, at - 1))) return null;
    const isAdverb = /^(?:also|still|always|now|usually|often|only)$/.test(lowerAt(tokens, at + 2));
    if (!isSeveral(tokens, isAdverb ? at + 3 : at + 2, words)) return null;
    const right = verb.lower === 'is' ? 'are' : 'were';
    return {
      from: verb,
      to: verb,
      message: `What follows is plural, so use "there ${right}".`,
      replacements: [right],
    };
  },
};

const BEFORE_THERE = set('before there');

/** Returns true before "many reasons", "some other reasons" and "reasons". */
function isSeveral(tokens: readonly Token[], at: number, words: WordKnowledge): boolean {
  // "There is many a slip"
  if (/^(?:many|several|various|numerous|few)$/.test(lowerAt(tokens, at)))
    return !/^(?:an?|who|that)$/.test(lowerAt(tokens, at + 1));
  let next = /^(?:some|no|any|other|more)$/.test(lowerAt(tokens, at)) ? at + 1 : at;
  while (next < at + 4 && posAt(tokens, next) === 'ADJ') next += 1;
  const noun = tokens[next];
  if (noun?.pos !== 'NOUN' || noun.isMasked || !/^[a-z]+$/.test(noun.text)) return false;
  if (!isCountedPlural(noun, words) || isPartOfCompound(tokens, next)) return false;
  return endsNounPhrase(tokens[next + 1]);
}

const MAY_REPEAT = set('may repeat');

/** `the the`. */
const repeatedWord: TaggedRule = {
  ruleId: 'repetition.word',
  category: 'repetition',
  severity: 'error',
  explanation: 'A repeated word is easy to miss, especially across a line break.',
  example: 'We fixed {the the=>the} issue.',
  check: (tokens, at) =>
    FUNCTION_WORDS.has(lowerAt(tokens, at)) ? repetitionAt(tokens, at) : null,
};

/** `file file`. Less certain than `the the`: a noun may be doubled as a name or sound. */
const repeatedContentWord: TaggedRule = {
  ruleId: 'repetition.content-word',
  category: 'repetition',
  severity: 'error',
  explanation: 'A repeated word is easy to miss, especially across a line break.',
  example: 'Open the {file file=>file} first.',
  check(tokens, at) {
    if (FUNCTION_WORDS.has(lowerAt(tokens, at))) return null;
    // "BYTES bytes", "Rose rose early", "region region-a"
    if (/^\p{Lu}/u.test(tokens[at]?.text ?? '')) return null;
    return isPartOfCompound(tokens, at + 1) ? null : repetitionAt(tokens, at);
  },
};

const FUNCTION_WORDS = set('function words');

/** Returns the mistake if the word at a position is repeated and may not be. */
function repetitionAt(tokens: readonly Token[], at: number): Mistake | null {
  const first = tokens[at];
  const second = tokens[at + 1];
  // "Dump dump dump!"
  if ([at - 1, at + 2].some((place) => lowerAt(tokens, place) === first?.lower)) return null;
  if (
    !first ||
    !second?.blankBefore ||
    first.lower !== second.lower ||
    first.isMasked ||
    second.isMasked ||
    mayRepeat(tokens, at)
  )
    return null;
  return {
    from: first,
    to: second,
    message: `"${first.text}" is repeated.`,
    replacements: [first.text],
  };
}

/** Returns true for names, particles before prepositions, ends of compounds, and words that English repeats. */
function mayRepeat(tokens: readonly Token[], at: number): boolean {
  const word = lowerAt(tokens, at);
  if (!/^[a-z]/.test(tokens[at + 1]?.text ?? '') || !/^(?:a|\p{L}{2,})$/u.test(word)) return true;
  if (at > 0 && !tokens[at]?.blankBefore) return true;
  // "What it is is a mystery", but not "it is is".
  if (word === 'is')
    return (
      !/^(?:it|this|that|he|she|there|which)$/.test(lowerAt(tokens, at - 1)) ||
      /^(?:what|all|where|how)$/.test(lowerAt(tokens, at - 2))
    );
  if (doublesBetweenClauses(tokens, at)) return true;
  // "Log in in the morning".
  if (/^(?:in|on|up|out|over|off|by|about|through|down)$/.test(word))
    return posAt(tokens, at - 1) === 'VERB' || TAKES_PARTICLE.test(lowerAt(tokens, at - 1));
  return MAY_REPEAT.has(word);
}

/** "What he wanted was was clear", "those who could could", "put it on on Friday". */
function doublesBetweenClauses(tokens: readonly Token[], at: number): boolean {
  if (posAt(tokens, at) === 'ADP')
    return /^(?:it|them|him|her|me|us|you)$/.test(lowerAt(tokens, at - 1));
  if (!AUXILIARIES.has(lowerAt(tokens, at))) return false;
  // "The books I have have been read"
  if (SUBJECTS.has(lowerAt(tokens, at - 1)) && posAt(tokens, at - 2) === 'NOUN') return true;
  return tokens.slice(Math.max(0, at - 6), at).some(({ lower }) => RELATIVE.test(lower));
}

const AUXILIARIES = set('auxiliaries');
const RELATIVE = /^(?:what(?:ever)?|who(?:m|ever)?|all|that|those|how|where|which|when)$/;

/** Verbs that the tagger reads as nouns: "log in", "sign up", "check out". */
const TAKES_PARTICLE =
  /^(?:log|sign|check|plug|tune|move|come|turn|switch|hand|fill|drop|zoom|opt|step|call|pick|end|line|stand|back|start|clean|hold|hang)(?:s|g?ged|p?ped|ed|d|g?ging|p?ping|ing)?$/;

export const TAGGED_RULES: readonly TaggedRule[] = [
  plainVerbAfterAuxiliary,
  pluralAfterNumber,
  pluralAfterOneOf,
  severalOfThis,
  oneOfThese,
  singularAfterEach,
  verbOfOnePerson,
  verbOfSeveral,
  manyOfSeveral,
  verbAfterOf,
  suchSo,
  adverb,
  verbOfPronoun,
  participleAfterHave,
  severalOfThereIs,
  ...COMMA_RULES,
  ...NOUN_RULES,
  ...PREPOSITION_RULES,
  ...VERB_RULES,
  repeatedWord,
  repeatedContentWord,
];
