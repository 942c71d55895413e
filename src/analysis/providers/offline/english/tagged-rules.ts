import type { Draft } from './draft.js';
import type { Token } from './tagger.js';
import {
  baseOfPast,
  baseOfThirdPerson,
  COMMON_VERBS,
  likeCase,
  NO_PLURAL,
  pluralOf,
  singularOf,
  thirdPersonOf,
} from './word-forms.js';

/** What a rule needs to know about words beyond their tags. */
export interface WordKnowledge {
  /** How often a word, in lower case, stands in 50 million words. */
  frequency(word: string): number;
}

/** Looks at one place of a sentence; null when nothing is wrong there. Looks at few tokens around it: linear time. */
type TaggedRule = (tokens: readonly Token[], at: number, words: WordKnowledge) => Draft | null;

/** All findings of the rules over parts of speech. */
export function taggedFindings(tokens: readonly Token[], words: WordKnowledge): Draft[] {
  const drafts: Draft[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    for (const rule of RULES) {
      const draft = rule(tokens, at, words);
      if (draft) drafts.push(draft);
    }
  }
  return drafts;
}

interface Parts {
  ruleId: string;
  message: string;
  explanation: string;
  replacements: string[];
  severity?: 'error' | 'warning';
  category?: 'grammar' | 'repetition';
  confidence?: number;
}

function draft(from: Token, to: Token, parts: Parts): Draft {
  const { replacements, confidence = 0.85, ...rest } = parts;
  return {
    start: from.start,
    end: to.end,
    category: 'grammar',
    severity: 'error',
    ...rest,
    replacements: replacements.map((value, index) => ({
      value,
      confidence: index === 0 ? confidence : 0.4,
    })),
  };
}

const set = (list: string) => new Set(list.split(' '));

const DO_FORMS = set("did didn't does doesn't do don't didn’t doesn’t don’t");
const MODALS = set(
  "can can't cannot could couldn't will won't would wouldn't should shouldn't must mustn't may might can’t couldn’t won’t wouldn’t shouldn’t",
);
const SUBJECTS = set('i you he she it we they');

/** `didn't went`, `does she likes`, `can speaks`: an auxiliary and a verb that is no plain one. */
const plainVerbAfterAuxiliary: TaggedRule = (tokens, at, words) => {
  const auxiliary = tokens[at];
  if (!auxiliary) return null;
  const isDo = DO_FORMS.has(auxiliary.lower);
  if (!isDo && !MODALS.has(auxiliary.lower)) return null;
  let next = at + 1;
  const following = tokens[next]?.lower ?? '';
  const isNegated = auxiliary.lower.endsWith('t') && auxiliary.lower !== 'might';
  if (following === 'not') next += 1;
  else if (SUBJECTS.has(following) && (isDo || at === 0)) next += 1;
  // "What he did came as a surprise": without a subject or a "not" the verb may be of another clause.
  else if (isDo && !isNegated) return null;
  const verb = tokens[next];
  if (!verb || verb.isMasked || (!isDo && verb.pos !== 'VERB' && verb.pos !== 'AUX')) return null;
  const before = tokens[at - 1];
  // "The can is empty", "at will".
  if (before && (before.pos === 'DET' || before.pos === 'ADP' || before.pos === 'ADJ') && !isDo)
    return null;
  const base = baseOfPast(verb.lower) ?? baseOfThirdPerson(verb.lower);
  if (
    base === undefined ||
    base === verb.lower ||
    words.frequency(base) === 0 ||
    AMBIGUOUS_PAST.has(verb.lower)
  )
    return null;
  return draft(verb, verb, {
    ruleId: 'grammar.plain-verb',
    message: `The plain verb "${base}" stands after "${auxiliary.text}".`,
    explanation:
      'After do, does, did and after can, will, should and the like the verb takes no ending and no past form.',
    replacements: [base],
  });
};

/** Are nouns or adjectives as often as pasts. */
const AMBIGUOUS_PAST = set('left found saw felt bore wound lay fell ground spoke rose bound');

const PLURAL_QUANTIFIERS = set(
  'many several these those two three four five six seven eight nine ten various few',
);

/** `two cat`, `many student`, `these file`: a number and a noun without its -s. */
const pluralAfterNumber: TaggedRule = (tokens, at, words) => {
  const quantifier = tokens[at];
  if (
    !quantifier ||
    !PLURAL_QUANTIFIERS.has(quantifier.lower) ||
    tokens[at + 1]?.blankBefore !== true
  )
    return null;
  const before = tokens[at - 1]?.lower ?? '';
  if (
    before === 'a' ||
    before === 'the' ||
    before === 'an' ||
    before === 'every' ||
    before === 'of' ||
    before === 'or'
  )
    return null;
  if (
    /^(?:these|those|both)$/.test(quantifier.lower) &&
    /^(?:and|or|like|than|as)$/.test(tokens[at + 1]?.lower ?? '')
  )
    return null;
  let next = at + 1;
  if (tokens[next]?.pos === 'ADJ' && tokens[next + 1]?.pos === 'NOUN') next += 1;
  const noun = tokens[next];
  if (!noun || !isSingularNoun(noun, words) || !endsNounPhrase(tokens[next + 1])) return null;
  const plural = pluralOf(noun.lower);
  return draft(noun, noun, {
    ruleId: 'grammar.plural-after-number',
    message: `"${quantifier.text}" is followed by a plural.`,
    explanation:
      'After a number above one and after many, several, few, these, those, both the noun is plural.',
    replacements: [likeCase(noun.text, plural)],
    severity: 'warning',
  });
};

const OF_WHOM = set('the my our his her their these those your its');

/** `one of my friend`, `some of the student`. */
const pluralAfterOneOf: TaggedRule = (tokens, at, words) => {
  if (tokens[at]?.lower !== 'of' || !OF_WHOM.has(tokens[at + 1]?.lower ?? '')) return null;
  if (!/^(?:one|each|both|many|several|few)$/.test(tokens[at - 1]?.lower ?? '')) return null;
  let next = at + 2;
  if (tokens[next]?.lower === 'most' || tokens[next]?.lower === 'best') next += 1;
  while (next < at + 5 && tokens[next]?.pos === 'ADJ') next += 1;
  const noun = tokens[next];
  if (!noun || !isSingularNoun(noun, words) || !endsNounPhrase(tokens[next + 1])) return null;
  return draft(noun, noun, {
    ruleId: 'grammar.plural-after-one-of',
    message: 'One of several: the noun is plural.',
    explanation: '"One of the", "each of my" and the like choose from several: one of my friends.',
    replacements: [pluralOf(noun.lower)],
  });
};

/** `this files are`, `these book is`. */
const demonstrative: TaggedRule = (tokens, at, words) => {
  const that = tokens[at];
  const noun = tokens[at + 1];
  const next = tokens[at + 2];
  if (!that || !noun || !next) return null;
  if (
    that.lower === 'this' ||
    (that.lower === 'that' && at === 0 && next.pos !== 'VERB' && tokens[at + 3]?.pos !== 'VERB')
  ) {
    const singular = singularOf(noun.lower);
    if (
      noun.pos !== 'NOUN' ||
      singular === undefined ||
      words.frequency(singular) < 100 ||
      NOT_PLURAL.has(noun.lower)
    )
      return null;
    if (
      !/^(?:are|were|have|aren't|weren't)$/.test(next.lower) &&
      (next.pos !== 'PUNCT' || COMMON_VERBS.has(singular)) &&
      !isPastTime(noun, tokens[at + 2])
    )
      return null;
    return draft(that, that, {
      ruleId: 'grammar.this-these',
      message: `"${noun.text}" is plural.`,
      explanation: 'This and that point to one thing, these and those to several.',
      replacements: [likeCase(that.text, that.lower === 'this' ? 'these' : 'those')],
      severity: 'warning',
    });
  }
  if (
    /^(?:these|those)$/.test(that.lower) &&
    isSingularNoun(noun, words) &&
    /^(?:is|was|has)$/.test(next.lower)
  ) {
    return draft(that, that, {
      ruleId: 'grammar.this-these',
      message: `"${noun.text}" is singular.`,
      explanation: 'This and that point to one thing, these and those to several.',
      replacements: [likeCase(that.text, that.lower === 'these' ? 'this' : 'that')],
    });
  }
  return null;
};

const isPastTime = (noun: Token, next: Token | undefined) =>
  noun.lower === 'days' && next?.pos !== 'VERB';

const NOT_PLURAL = set(
  'people police sales news series means species access process address class business analysis basis status focus works mathematics physics economics politics windows always kudos has was is as us lens bus plus gas',
);

/** `every students`, `another things`: one at a time. */
const singularAfterEach: TaggedRule = (tokens, at, words) => {
  const each = tokens[at];
  const noun = tokens[at + 1];
  if (!each || !noun || !/^(?:each|every|another)$/.test(each.lower)) return null;
  const singular = singularOf(noun.lower);
  if (noun.pos !== 'NOUN' || singular === undefined || NOT_PLURAL.has(noun.lower)) return null;
  if (words.frequency(singular) < 100 || COMMON_VERBS.has(singular)) return null;
  const before = tokens[at - 1]?.lower;
  // "They each", "are each".
  if (each.lower === 'each' && (before === 'they' || before === 'are' || before === 'we'))
    return null;
  return draft(noun, noun, {
    ruleId: 'grammar.singular-after-each',
    message: `"${each.text}" is followed by a singular.`,
    explanation: 'Each, every and another speak of one thing at a time.',
    replacements: [likeCase(noun.text, singular)],
    severity: 'warning',
  });
};

const KIN = set(
  'mother father brother sister wife husband son daughter friend teacher boss uncle aunt grandmother grandfather cousin neighbour neighbor girlfriend boyfriend mum mom dad roommate',
);
const POSSESSIVES = set('my your his her our their');
const LEARNED_VERBS = set(
  'work live like want need go make have do help know think speak play come say get give love look study teach cook eat enjoy prefer take',
);

/** `my brother work`: somebody who does it takes -s. */
const verbOfOnePerson: TaggedRule = (tokens, at) => {
  const whose = tokens[at];
  const who = tokens[at + 1];
  const verb = tokens[at + 2];
  if (
    !whose ||
    !who ||
    !verb ||
    !POSSESSIVES.has(whose.lower) ||
    !KIN.has(who.lower) ||
    !LEARNED_VERBS.has(verb.lower)
  )
    return null;
  const before = tokens[at - 1]?.lower;
  // "Let my brother work", "did your mother say", "I and my friend go", "both my wife".
  if (
    before !== undefined &&
    !/^(?:[.!?,;]|because|that|but|when|while|where|if|and)$/.test(before)
  )
    return null;
  if (before === 'and' && at > 1 && tokens[at - 2]?.pos !== 'PUNCT') return null;
  return draft(verb, verb, {
    ruleId: 'grammar.verb-of-one',
    message: `One person: the verb is "${thirdPersonOf(verb.lower)}".`,
    explanation: 'In the present the verb of he, she, it or of one person takes -s.',
    replacements: [thirdPersonOf(verb.lower)],
    severity: 'warning',
  });
};

/** `the dogs barks`: several that do it take no -s. */
const verbOfSeveral: TaggedRule = (tokens, at, words) => {
  const which = tokens[at];
  const noun = tokens[at + 1];
  const verb = tokens[at + 2];
  if (
    !which ||
    !noun ||
    !verb ||
    !/^(?:the|these|those|my|our|his|her|their|some|many)$/.test(which.lower)
  )
    return null;
  const before = tokens[at - 1];
  if (before && before.pos !== 'PUNCT') return null;
  const singular = singularOf(noun.lower);
  if (
    noun.pos !== 'NOUN' ||
    singular === undefined ||
    words.frequency(singular) < 100 ||
    NOT_PLURAL.has(noun.lower)
  )
    return null;
  if (tokens[at + 3]?.pos === 'NOUN' || tokens[at + 3]?.lower === 'of') return null;
  const singularBe: Record<string, string> = { is: 'are', was: 'were', has: 'have' };
  const base =
    singularBe[verb.lower] ?? (verb.pos === 'VERB' ? baseOfThirdPerson(verb.lower) : undefined);
  if (base === undefined) return null;
  return draft(verb, verb, {
    ruleId: 'grammar.verb-of-several',
    message: `"${noun.text}" is plural: the verb is "${base}".`,
    explanation: 'The verb agrees with what stands before it: the dog barks, the dogs bark.',
    replacements: [base],
    severity: 'warning',
  });
};

const COLLECTIVE = set(
  'number majority lot couple variety range group rest pair half series set bunch handful plenty kind type sort team part minority host array percentage total list kinds types sorts most some all any none class family plenty dozen hundred thousand million',
);
const SINGULAR_OF: Record<string, string> = {
  are: 'is',
  were: 'was',
  have: 'has',
  "aren't": "isn't",
  "weren't": "wasn't",
};

/** `The quality of the products are bad`: the verb goes with the first noun. */
const verbAfterOf: TaggedRule = (tokens, at, words) => {
  const verb = tokens[at];
  const singular = verb && SINGULAR_OF[verb.lower];
  if (!verb || singular === undefined || tokens[at - 1]?.pos !== 'NOUN') return null;
  let of = at - 2;
  while (
    of > at - 6 &&
    of > 0 &&
    tokens[of]?.lower !== 'of' &&
    /^(?:DET|ADJ|NOUN|PRON)$/.test(tokens[of]?.pos ?? '')
  )
    of -= 1;
  const head = tokens[of - 1];
  if (
    tokens[of]?.lower !== 'of' ||
    !head ||
    !isSingularNoun(head, words) ||
    COLLECTIVE.has(head.lower)
  )
    return null;
  if (singularOf(tokens[at - 1]?.lower ?? '') === undefined) return null;
  let first = of - 2;
  while (first > 0 && (tokens[first]?.pos === 'ADJ' || tokens[first]?.pos === 'NOUN')) first -= 1;
  const article = tokens[first];
  if (!article || !/^(?:the|this|that|my|our|his|her|their|a|an|its|your)$/.test(article.lower))
    return null;
  const before = tokens[first - 1];
  if (before && before.pos !== 'PUNCT' && before.lower !== 'that' && before.lower !== 'because')
    return null;
  // "The kids and the owner of the dogs are": several.
  if (before?.lower === ',' || before?.lower === 'and') return null;
  return draft(verb, verb, {
    ruleId: 'grammar.verb-after-of',
    message: `The verb goes with "${head.text}", which is singular.`,
    explanation: 'In "the quality of the products" one thing is spoken of: the quality is bad.',
    replacements: [singular],
    severity: 'warning',
  });
};

/** `such beautiful that`: an adjective alone takes "so". */
const suchSo: TaggedRule = (tokens, at) => {
  const such = tokens[at];
  if (such?.lower !== 'such' || tokens[at + 1]?.pos !== 'ADJ' || tokens[at + 2]?.lower !== 'that')
    return null;
  return draft(such, such, {
    ruleId: 'grammar.such-so',
    message: 'An adjective alone takes "so".',
    explanation: 'It was so cold that…, but: it was such a cold day that…',
    replacements: [likeCase(such.text, 'so')],
  });
};

const MANNER_VERBS = set(
  'drive drives drove driving speak speaks spoke speaking sing sings sang singing work works worked run runs ran running play plays played playing move moves moved learn learns learned walk walks walked talk talks talked behave behaves behaved dance dances danced write writes wrote explain explains explained grow grows grew change changes changed',
);
const ADVERBS: Record<string, string> = {
  careful: 'carefully',
  quick: 'quickly',
  slow: 'slowly',
  quiet: 'quietly',
  beautiful: 'beautifully',
  perfect: 'perfectly',
  fluent: 'fluently',
  easy: 'easily',
  bad: 'badly',
  good: 'well',
  polite: 'politely',
  dangerous: 'dangerously',
  rapid: 'rapidly',
};

/** `He drives very careful`: how something is done takes an adverb. */
const adverb: TaggedRule = (tokens, at) => {
  const adjective = tokens[at];
  const right = adjective && ADVERBS[adjective.lower];
  if (!adjective || right === undefined) return null;
  const next = tokens[at + 1];
  if (next && next.pos !== 'PUNCT' && !/^(?:and|because|but|than|when|on|in)$/.test(next.lower))
    return null;
  let before = at - 1;
  if (/^(?:very|more|so|really|too|quite)$/.test(tokens[before]?.lower ?? '')) before -= 1;
  let verb = tokens[before];
  if (/^(?:it|english|german|french|spanish|fast)$/.test(verb?.lower ?? ''))
    verb = tokens[before - 1];
  if (!verb || !MANNER_VERBS.has(verb.lower)) return null;
  if (verb.pos === 'NOUN') return null;
  return draft(adjective, adjective, {
    ruleId: 'grammar.adverb',
    message: `How something is done takes an adverb: "${right}".`,
    explanation:
      'An adjective describes a thing (a careful driver), an adverb how it is done (he drives carefully).',
    replacements: [right],
    severity: 'warning',
  });
};

const MAY_REPEAT = set(
  'that had is very no bye so ha blah really far many much long again more please hey yes there her do you',
);

/** `the the`. */
const repeatedWord: TaggedRule = (tokens, at) => {
  const first = tokens[at];
  const second = tokens[at + 1];
  if (
    !first ||
    !second?.blankBefore ||
    first.lower !== second.lower ||
    first.isMasked ||
    second.isMasked
  )
    return null;
  if (!/^[a-z]/.test(second.text) || !/^\p{L}+$/u.test(first.text) || MAY_REPEAT.has(first.lower)) {
    if (!(
      first.lower === 'is' &&
      /^(?:it|this|that|he|she|there|which)$/.test(tokens[at - 1]?.lower ?? '') &&
      !/^(?:what|all|where|how)$/.test(tokens[at - 2]?.lower ?? '')
    ))
      return null;
  }
  if (first.text.length < 2 && first.lower !== 'a') return null;
  // "built-in in": the first is the end of a compound.
  if (at > 0 && !first.blankBefore) return null;
  // "log in in the", "the one in in": particle and preposition.
  if (/^(?:in|on|up|out|over|off)$/.test(first.lower) && tokens[at - 1]?.pos === 'VERB')
    return null;
  return draft(first, second, {
    ruleId: 'repetition.word',
    category: 'repetition',
    message: `"${first.text}" stands here twice.`,
    explanation: 'A word that was typed twice is easily overlooked, above all across a line break.',
    replacements: [first.text],
    confidence: 0.95,
  });
};

const RULES: readonly TaggedRule[] = [
  plainVerbAfterAuxiliary,
  pluralAfterNumber,
  pluralAfterOneOf,
  demonstrative,
  singularAfterEach,
  verbOfOnePerson,
  verbOfSeveral,
  verbAfterOf,
  suchSo,
  adverb,
  repeatedWord,
];

/** A common noun that has a plural of its own, and is not in it. */
function isSingularNoun(token: Token, words: WordKnowledge): boolean {
  if (token.isMasked || token.pos !== 'NOUN' || !/^[a-z]{3,}$/.test(token.text)) return false;
  if (singularOf(token.lower) !== undefined || /s$/.test(token.lower) || NO_PLURAL.has(token.lower))
    return false;
  if (NOT_COUNTED.has(token.lower) || /(?:ing|ness|ism)$/.test(token.lower)) return false;
  const plural = pluralOf(token.lower);
  return (
    plural !== token.lower && words.frequency(plural) >= 40 && words.frequency(token.lower) >= 100
  );
}

const NOT_COUNTED = set(
  'people percent dozen hundred thousand million billion children men women more less other most same kind type sort lot few such much little half time way back right left first second third last next one ones core level step stage party color colour bit pixel dimensional digit letter character',
);

/** What follows does not belong to the noun: no second noun, no hyphen. */
function endsNounPhrase(next: Token | undefined): boolean {
  if (!next) return true;
  if (next.isMasked) return false;
  if (next.pos === 'PUNCT') return /^[.,;:!?)]$/.test(next.text);
  return (
    /^(?:ADP|AUX|CCONJ|SCONJ|PRON|ADV|DET|PART)$/.test(next.pos) ||
    (next.pos === 'VERB' && !/(?:ed|ing)$/.test(next.lower))
  );
}
