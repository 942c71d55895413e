import { distance } from 'fastest-levenshtein';
import type {
  Check,
  Finding,
  Issue,
  Severity,
  TextRange,
  AccountRules,
} from '@document-service/text-analysis/analysis';
import { isSafe, issueIds } from '@document-service/text-analysis/issues';
import type { EditGoal } from './model-goals.js';
import { placesOf } from '../../enhancements/apply-suggestions.js';
import type { PlacedEdit } from './place-edits.js';

/** Checks that use the model. */
export const MODEL_CHECKS: readonly Check[] = ['spelling', 'grammar', 'punctuation', 'casing'];

/** Below 0.9, so that model edits are never applied without review. */
const CONFIDENCE = 0.7;

/** Category of edits by goal. */
const CATEGORY_OF_GOAL: Readonly<Record<Exclude<EditGoal, 'correct'>, Check>> = {
  consistency: 'spelling',
  simplify: 'simplicity',
  clarity: 'simplicity',
  rewrite: 'wordiness',
  tone: 'wordiness',
  shorten: 'wordiness',
  expand: 'simplicity',
  translate: 'grammar',
  custom: 'grammar',
};

const MESSAGES: Readonly<Record<EditGoal, string>> = {
  correct: 'The model suggests a correction.',
  consistency: 'The model suggests a consistent wording.',
  simplify: 'The model suggests simpler wording.',
  clarity: 'The model suggests clearer wording.',
  rewrite: 'The model suggests another wording.',
  tone: 'The model suggests a different tone.',
  shorten: 'The model suggests fewer words.',
  expand: 'The model suggests more detail.',
  translate: 'The model suggests a translation.',
  custom: 'The model suggests a change.',
};

const EXPLANATION =
  'This suggestion comes from a language model. Models make mistakes, so review it before you apply it.';

/** Converts an edit to a finding with the same range. */
export function findingOf(edit: PlacedEdit, goal: EditGoal): Finding {
  const { start, end, original, replacement, reason } = edit;
  const category =
    goal === 'correct' ? correctionOf(original, replacement) : CATEGORY_OF_GOAL[goal];
  return {
    ruleId: goal === 'correct' ? `model.${category}` : `model.${goal}`,
    category,
    severity: goal === 'correct' ? severityOf(category) : 'style',
    message: reason.trim() === '' ? MESSAGES[goal] : reason.trim(),
    explanation: EXPLANATION,
    start,
    end,
    original,
    replacements: [{ value: replacement, confidence: CONFIDENCE }],
  };
}

/** The rules that findings of a model refer to. Models report no other rules. */
export const MODEL_RULES = [
  ...MODEL_CHECKS.map((category) => modelRule(category, category, severityOf(category))),
  ...Object.entries(CATEGORY_OF_GOAL).map(([goal, category]) => modelRule(goal, category, 'style')),
];

function modelRule(name: string, category: Check, severity: Severity) {
  return {
    id: `model.${name}`,
    category,
    severity,
    languages: [],
    description: EXPLANATION,
    example: null,
    source: 'model' as const,
  };
}

/** Returns the category of a correction from the difference between the texts. */
function correctionOf(original: string, replacement: string): Check {
  const isSame = (of: (text: string) => string) => of(original) === of(replacement);
  if (isSame((text) => text.toLowerCase())) return 'casing';
  if (isSame((text) => text.replace(/[\p{P}\p{S}\s]+/gu, ' ').trim())) return 'punctuation';
  const isOneWord = [original, replacement].every((text) => /^[\p{L}\p{M}'’-]+$/u.test(text));
  // Very different words are a change of wording, not of spelling.
  const isAlike =
    distance(original, replacement) * 2 < Math.max(original.length, replacement.length);
  return isOneWord && isAlike ? 'spelling' : 'grammar';
}

function severityOf(category: Check): Severity {
  return category === 'spelling' || category === 'grammar' ? 'error' : 'warning';
}

/** Adds ids, lines and columns to findings, which must be in text order. */
export function issuesOf(text: string, findings: readonly Finding[]): Issue[] {
  const places = placesOf(text, findings.map(({ start }) => start)); // prettier-ignore
  const sentences = findings.map((finding) => sentenceAround(text, finding));
  const ids = issueIds(text, findings, sentences);
  return findings.map((finding, index) => ({
    ...finding,
    id: ids[index] ?? '',
    unit: 'utf16',
    line: places[index]?.line ?? 1,
    column: places[index]?.column ?? 1,
    source: 'model',
    safe: isSafe(finding),
    status: 'open',
  }));
}

/** Distance in UTF-16 units to search for the ends of a sentence. */
const MAX_SENTENCE_SIDE = 500;
const SENTENCE_END = /[.!?。！？]\s|\n\s*\n/g;

/** Returns the sentence around a range, approximately and in any language. Errors only make issue ids less precise. */
function sentenceAround(text: string, { start, end }: TextRange): TextRange {
  const from = Math.max(0, start - MAX_SENTENCE_SIDE);
  const before = [...text.slice(from, start).matchAll(SENTENCE_END)].at(-1);
  const [behind] = text.slice(end, end + MAX_SENTENCE_SIDE).matchAll(SENTENCE_END);
  return {
    start: before ? from + before.index + before[0].length : from,
    end: behind ? end + behind.index + 1 : Math.min(end + MAX_SENTENCE_SIDE, text.length),
  };
}

/** Returns true if the edit changes a word that the account accepts. */
export function changesAcceptedWord(
  { original, replacement }: { original: string; replacement: string },
  accepted: ReadonlySet<string>,
): boolean {
  if (accepted.size === 0) return false;
  const before = original.toLowerCase();
  const after = replacement.toLowerCase();
  return [...accepted].some((word) => containsWord(before, word) && !containsWord(after, word));
}

/** Returns the words of the dictionary and the style rules in lower case. */
export function acceptedWords({ words, styleRules }: AccountRules): ReadonlySet<string> {
  const ofRules = styleRules.flatMap((rule) => (rule.kind === 'accepted' ? rule.words : []));
  return new Set([...words, ...ofRules].map((word) => word.toLowerCase()));
}

const LETTER = /[\p{L}\p{N}\p{M}]/u;

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isWhole =
      !LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + word.length));
    if (isWhole) return true;
  }
  return false;
}
