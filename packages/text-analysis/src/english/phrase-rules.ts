import { readFileSync } from 'node:fs';
import { CHECKS, SEVERITIES } from '../analysis.js';
import { pairsIn, readSections } from '../data-file.js';
import type { RuleDescription } from './rule-description.js';
import { COMMON_VERBS, gerundOf, likeCase, NO_PLURAL } from './word-forms.js';

/**
 * A mistake that a sequence of words proves. Patterns take linear time. `find` is the reported passage; the rest is context.
 */
export interface PhraseRule extends RuleDescription {
  /** Case-insensitive, with `g`. The group `find`, or the whole match, is the finding. */
  pattern: RegExp;
  /** Returns the replacements, most likely first. */
  replace: (groups: Record<string, string>, passage: string) => string[];
  message: string;
}

type Replace = PhraseRule['replace'];

const FORMS = readSections(import.meta.url, 'phrase-forms.txt');
const CONTRACTIONS = new Map(pairsIn(FORMS, 'contractions'));
const PLURAL_VERBS = new Map(pairsIn(FORMS, 'plural verbs'));
const SINGULAR_VERBS = new Map(pairsIn(FORMS, 'singular verbs'));
const COMPARATIVES = new Map(pairsIn(FORMS, 'comparatives'));
const GERUNDS = new Map([...COMMON_VERBS, 'invite'].map((base) => [base, gerundOf(base)]));

const asGerund = (base: string) => GERUNDS.get(base.toLowerCase()) ?? base;
const formOf = (forms: ReadonlyMap<string, string>, word: string) =>
  forms.get(word.toLowerCase().replace('’', "'")) ?? word;

/** `excited` for `exciting`, `tired` for `tiring`. */
const asParticiple = (adjective: string) => adjective.replace(/ing$/i, 'ed');

/** The functions that `replace by` names in phrase-rules.txt. */
const REPLACEMENTS: ReadonlyMap<string, Replace> = new Map<string, Replace>([
  ['contraction', (_, passage) => [contractionOf(passage)]],
  ['agree', (_, passage) => [/^w/i.test(passage) ? 'agreed' : 'agree']],
  ['gerund', (_, passage) => [asGerund(passage)]],
  ['gerund of the verb', ({ verb = '' }) => [asGerund(verb)]],
  ['to and the passage', (_, passage) => [`to ${passage}`]],
  ['tell', (_, passage) => [passage.toLowerCase() === 'said' ? 'told' : 'tells']],
  ['any', (_, passage) => [passage.toLowerCase().replace(/^no ?/, 'any')]],
  ['without the last letter', (_, passage) => [passage.slice(0, -1)]],
  [
    'uncountable',
    ({ noun = '' }, passage) =>
      [noun, `some ${noun}`, `a piece of ${noun}`].map((value) => likeCase(passage, value)),
  ],
  ['plural verb', (_, passage) => [formOf(PLURAL_VERBS, passage)]],
  ['singular verb', (_, passage) => [formOf(SINGULAR_VERBS, passage)]],
  ['comparative', ({ adjective = '' }) => [comparativeOf(adjective)]],
  ['article', ({ noun = '' }) => [/^[aeio]/i.test(noun) ? 'an ' : 'a ']],
  ['effect', (_, passage) => [passage.replace(/^a/i, 'e')]],
  ['principle', (_, passage) => [passage.replace(/al/i, 'le')]],
  ['capitalized', (_, passage) => [passage.charAt(0).toUpperCase() + passage.slice(1)]],
  ['ed for ing', (_, passage) => [asParticiple(passage)]],
  ['with a space', (_, passage) => [`${passage.trim()} `]],
  ['first sign', (_, passage) => [passage.charAt(0)]],
  ['trimmed', (_, passage) => [passage.trim()]],
]);

/** Named parts of patterns. phrase-rules.txt adds more. */
const parts = new Map([
  [
    'contraction',
    [...CONTRACTIONS.keys()]
      .flatMap((word) => (word === 'im' ? ['Im'] : [word, likeCase('A', word)]))
      .join('|'),
  ],
  ['verb', [...COMMON_VERBS].join('|')],
  ['uncountable', [...NO_PLURAL].slice(0, 14).join('|')],
]);

/** In the order of phrase-rules.txt. */
export const PHRASE_RULES: readonly PhraseRule[] = readRules();

/** The lines of one rule or part: values by key. */
type Block = ReadonlyMap<string, string>;

function readRules(): PhraseRule[] {
  const rules: PhraseRule[] = [];
  const file = readFileSync(new URL('phrase-rules.txt', import.meta.url), 'utf8');
  for (const paragraph of file.split('\n\n')) {
    const lines = paragraph.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const fields = lines.map((line) => /^([^:]+): (.+)$/.exec(line)?.slice(1) ?? [line, '']);
    const block: Block = new Map(fields.map(([key = '', value = '']) => [key, value]));
    const name = block.get('part');
    if (name !== undefined) {
      const alternatives = fields.filter(([key]) => key === 'or').map(([, value = '']) => value);
      parts.set(name, withParts(alternatives.join('|')));
    } else if (block.has('before')) rules.push(prepositionRule(block));
    else if (block.size > 0) rules.push(phraseRule(block));
  }
  return rules;
}

function phraseRule(block: Block): PhraseRule {
  const ruleId = required(block, 'rule');
  return {
    ruleId,
    category: oneOf(CHECKS, ruleId.split('.')[0]),
    severity: oneOf(SEVERITIES, block.get('severity') ?? 'error'),
    pattern: new RegExp(withParts(required(block, 'pattern')), block.get('flags') ?? 'gi'),
    replace: replacementOf(block),
    message: required(block, 'message'),
    explanation: required(block, 'explanation'),
    example: required(block, 'example'),
  };
}

/** Creates a rule for a word, or the words before it, that needs a different preposition. */
function prepositionRule(block: Block): PhraseRule {
  const [right = ''] = quoted(required(block, 'replace'));
  const words = `\\b(?:${required(block, 'before')}) (?<find>${required(block, 'wrong')})\\b`;
  return phraseRule(
    new Map([
      ['severity', 'warning'],
      ['pattern', `${words}${block.get('context') ?? ''}`],
      ['message', `Use "${right}" here.`],
      [
        'explanation',
        'Many verbs, adjectives and nouns take only one preposition: depend on, interested in, married to.',
      ],
      ...block,
    ]),
  );
}

function replacementOf(block: Block): Replace {
  const by = block.get('replace by');
  if (by !== undefined) {
    const replace = REPLACEMENTS.get(by);
    if (!replace) throw new Error(`phrase-rules.txt: unknown replacement "${by}"`);
    return replace;
  }
  const likePassage = block.get('replace like the passage');
  if (likePassage !== undefined) {
    const values = quoted(likePassage);
    return (_, passage) => values.map((value) => likeCase(passage, value));
  }
  const values = quoted(required(block, 'replace'));
  return () => [...values];
}

/** Parses `"fewer", "less"` into a list. */
function quoted(list: string): string[] {
  return JSON.parse(`[${list}]`) as string[];
}

function withParts(pattern: string): string {
  return pattern.replace(/\{\{([^}]+)\}\}/g, (_, name: string) => required(parts, name));
}

function required(values: ReadonlyMap<string, string>, key: string): string {
  const value = values.get(key);
  if (value === undefined) throw new Error(`phrase-rules.txt: "${key}" is missing`);
  return value;
}

function oneOf<Value extends string>(values: readonly Value[], name: string | undefined): Value {
  const found = values.find((value) => value === name);
  if (found === undefined) throw new Error(`phrase-rules.txt: "${name ?? ''}" is unknown`);
  return found;
}

function contractionOf(passage: string): string {
  const right = CONTRACTIONS.get(passage.toLowerCase()) ?? passage;
  const isUpperCase = passage === passage.toUpperCase() && passage.length > 2;
  return isUpperCase ? right.toUpperCase() : likeCase(passage, right);
}

function comparativeOf(adjective: string): string {
  const word = adjective.toLowerCase();
  const irregular = COMPARATIVES.get(word);
  if (irregular !== undefined) return irregular;
  if (word.endsWith('y')) return `${word.slice(0, -1)}ier`;
  return word.endsWith('e') ? `${word}r` : `${word}er`;
}
