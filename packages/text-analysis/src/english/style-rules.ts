import { pairsIn, readSections } from '../data-file.js';
import type { Draft } from './draft.js';
import type { Token } from './tagger.js';
import { withConfidence } from './rule-confidence.js';
import type { RuleDescription } from './rule-description.js';
import { sentencesOf } from '../text/sentences.js';
import { likeCase } from './word-forms.js';

interface Wording extends RuleDescription {
  category: 'wordiness' | 'simplicity' | 'inclusive';
  message: (right: string) => string;
}

const WORDINGS: readonly Wording[] = [
  {
    ruleId: 'wordiness.phrase',
    category: 'wordiness',
    severity: 'style',
    message: (right) => (right ? `"${right}" is shorter.` : 'You can leave this out.'),
    explanation: 'Words that add nothing distract from the ones that matter.',
    example: 'She ran {in order to=>to} win.',
  },
  {
    ruleId: 'simplicity.word',
    category: 'simplicity',
    severity: 'style',
    message: (right) => `"${right}" is simpler.`,
    explanation: 'More readers understand the common word, and they read it faster.',
    example: 'We {utilize=>use} the tool.',
  },
  {
    ruleId: 'inclusive.term',
    category: 'inclusive',
    severity: 'style',
    message: (right) => `"${right}" is more inclusive.`,
    explanation: 'Some terms exclude or offend readers. A neutral term means the same.',
    example: 'Put it on the {whitelist=>allowlist}.',
  },
];

interface Entry extends Wording {
  right: string[];
}

const ENTRIES = new Map<string, Entry>();
const LISTS = readSections(import.meta.url, 'wordings.txt');
for (const wording of WORDINGS) {
  for (const [wrong, right] of pairsIn(LISTS, wording.ruleId))
    ENTRIES.set(wrong, { ...wording, right: right.split('|').map((each) => each.trim()) });
}

const LISTED = new RegExp(
  `(?<![\\w-])(?:${[...ENTRIES.keys()]
    .sort((a, b) => b.length - a.length)
    .map((wrong) => wrong.replace(/[/-]/g, '\\$&'))
    .join('|')})(?![\\w-])`,
  'gi',
);

/** Sentences with more words are hard to follow. */
const LONG_SENTENCE = 40;

const LONG: RuleDescription = {
  ruleId: 'length.sentence',
  category: 'length',
  severity: 'style',
  explanation: `Sentences of more than ${String(LONG_SENTENCE)} words are hard to follow. Consider splitting this one.`,
  example: `{${'We walked and talked and '.repeat(9)}went home.=>}`,
};

const PASSIVE: RuleDescription = {
  ruleId: 'passive.voice',
  category: 'passive',
  severity: 'style',
  explanation: 'If it matters who acts, an active sentence is shorter and clearer.',
  example: 'The door {was opened=>}.',
};

export const STYLE_RULES: readonly RuleDescription[] = [...WORDINGS, LONG, PASSIVE];

/** Returns passages that are correct but could be improved. */
export function styleFindings(text: string, tokens: readonly Token[]): Draft[] {
  return [...listedWordings(text), ...longSentences(text), ...passives(tokens)];
}

function* listedWordings(text: string): Generator<Draft> {
  for (const match of text.matchAll(LISTED)) {
    const passage = match[0];
    const entry = ENTRIES.get(passage.toLowerCase());
    if (!entry) continue;
    const start = match.index;
    let end = start + passage.length;
    // Removing the passage also removes a space.
    if (entry.right[0] === '' && text[end] === ' ') end += 1;
    yield {
      start,
      end,
      ruleId: entry.ruleId,
      category: entry.category,
      severity: entry.severity,
      message: entry.message(entry.right[0] ?? ''),
      explanation: entry.explanation,
      replacements: withConfidence(
        entry.ruleId,
        entry.right.map((value) => likeCase(passage, value)),
      ),
    };
  }
}

function* longSentences(text: string): Generator<Draft> {
  for (const { start, end } of sentencesOf(text)) {
    const words = text.slice(start, end).split(/\s+/).length;
    if (words <= LONG_SENTENCE) continue;
    yield {
      start,
      end,
      ruleId: LONG.ruleId,
      category: LONG.category,
      severity: LONG.severity,
      message: `This sentence has ${String(words)} words.`,
      explanation: LONG.explanation,
      replacements: [],
    };
  }
}

const BE = new Set('is are was were be been being'.split(' '));
const PARTICIPLE =
  /^(?:\p{L}{2,}ed|done|made|given|taken|seen|known|written|shown|found|built|sent|held|kept|set|put|run|read|chosen|thrown|drawn|broken|driven|left|lost|told|said|used)$/u;
/** Words that describe a state rather than an action. */
const STATES = new Set(
  'based needed related required supposed interested located involved tired married excited used allowed deprecated limited concerned pleased bored advanced left set'.split(
    ' ',
  ),
);

function* passives(tokens: readonly Token[]): Generator<Draft> {
  for (const [at, token] of tokens.entries()) {
    if (!BE.has(token.lower)) continue;
    let next = at + 1;
    if (tokens[next]?.pos === 'ADV' || tokens[next]?.lower === 'not') next += 1;
    const participle = tokens[next];
    if (
      !participle ||
      participle.isMasked ||
      participle.pos !== 'VERB' ||
      STATES.has(participle.lower) ||
      !PARTICIPLE.test(participle.lower)
    )
      continue;
    yield {
      start: token.start,
      end: participle.end,
      ruleId: PASSIVE.ruleId,
      category: PASSIVE.category,
      severity: PASSIVE.severity,
      message: 'This passive does not say who acts.',
      explanation: PASSIVE.explanation,
      replacements: [],
    };
  }
}
