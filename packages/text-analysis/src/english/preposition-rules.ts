import { pairsIn } from '../data-file.js';
import { DATA, lowerAt, MODALS, posAt, set, type TaggedRule } from './tagged-rule.js';
import type { Token } from './tagger.js';
import { gerundOf, pastOf, thirdPersonOf } from './word-forms.js';

/** Every form of the verbs of a section, with what stands after `>`. */
function byForm(section: string): ReadonlyMap<string, ReadonlySet<string>> {
  const forms = new Map<string, Set<string>>();
  for (const [verb, values] of pairsIn(DATA, section)) {
    for (const form of [verb, thirdPersonOf(verb), pastOf(verb), gerundOf(verb)])
      forms.set(form, new Set([...(forms.get(form) ?? []), ...values.split(' ')]));
  }
  return forms;
}

const WITHOUT = byForm('without a preposition');
const WITH = byForm('with a preposition');
const OBJECT_PRONOUNS = set('object pronouns');

/** `explain about the plan`: a verb that takes its object directly. */
const noPreposition: TaggedRule = {
  ruleId: 'grammar.no-preposition',
  category: 'grammar',
  severity: 'warning',
  explanation: 'Some verbs take their object without a preposition: explain a plan, enter a room.',
  example: 'She {explained about=>explained} the plan.',
  check(tokens, at) {
    const verb = tokens[at];
    const preposition = tokens[at + 1];
    if (!verb || !preposition || !WITHOUT.get(verb.lower)?.has(preposition.lower)) return null;
    if (!isVerbHere(tokens, at) || !startsObject(tokens[at + 2])) return null;
    return {
      from: verb,
      to: preposition,
      message: `"${verb.text}" needs no preposition.`,
      replacements: [verb.text],
    };
  },
};

/** `they waited me`: a verb that needs a preposition before its object. */
const missingPreposition: TaggedRule = {
  ruleId: 'grammar.missing-preposition',
  category: 'grammar',
  severity: 'warning',
  explanation: 'Some verbs need a preposition before their object: wait for me, it belongs to her.',
  example: 'They {waited=>waited for} me.',
  check(tokens, at) {
    const verb = tokens[at];
    const prepositions = verb && WITH.get(verb.lower);
    if (!prepositions || !OBJECT_PRONOUNS.has(lowerAt(tokens, at + 1))) return null;
    if (!isVerbHere(tokens, at) || !tokens[at + 1]?.blankBefore) return null;
    // "Wait her turn", "she listened her whole life"
    if (!/^(?:PUNCT|ADP|ADV|CCONJ|SCONJ|)$/.test(posAt(tokens, at + 2))) return null;
    return {
      from: verb,
      to: verb,
      message: `"${verb.text}" needs a preposition before its object.`,
      replacements: [...prepositions].map((preposition) => `${verb.text} ${preposition}`),
    };
  },
};

/** Returns true for a word that the words before it show to be a verb: "to enter", "they enter", "has entered". */
function isVerbHere(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at];
  if (!word || word.isMasked || !/^\p{Ll}+$/u.test(word.text)) return false;
  const before = lowerAt(tokens, at - 1);
  if (BEFORE_VERB.has(before) || MODALS.has(before)) return true;
  return (
    word.lower.endsWith('ed') &&
    word.pos === 'VERB' &&
    /^(?:NOUN|PROPN|ADV)$/.test(posAt(tokens, at - 1))
  );
}

/** Returns true for the start of an object: "the", "my", "him". */
const startsObject = (token: Token | undefined) =>
  token !== undefined &&
  !token.isMasked &&
  (/^(?:the|a|an|my|your|his|her|our|their|this|that|these|those|its)$/.test(token.lower) ||
    OBJECT_PRONOUNS.has(token.lower));

const BEFORE_VERB = set('before a verb');

/** The rules about prepositions that depend on the part of speech of the word before them. */
export const PREPOSITION_RULES: readonly TaggedRule[] = [noPreposition, missingPreposition];
