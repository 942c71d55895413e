import { distance } from 'fastest-levenshtein';
import type {
  Check,
  Finding,
  Issue,
  Severity,
  TextRange,
  AccountRules,
} from '@document-service/text-analysis/analysis';
import { issueIds } from '@document-service/text-analysis/issues';
import type { EditGoal } from './model-goals.js';
import type { PlacedEdit } from './place-edits.js';

/** What an analysis may find by a model. */
export const MODEL_CHECKS: readonly Check[] = ['spelling', 'grammar', 'punctuation', 'casing'];

/** Below 0.9: nothing that a model says is applied unseen. */
const CONFIDENCE = 0.7;

/** By what an edit of this goal is filed, where it corrects nothing. */
const CATEGORY_OF_GOAL: Readonly<Record<Exclude<EditGoal, 'correct'>, Check>> = {
  tone: 'wordiness',
  shorten: 'wordiness',
  expand: 'simplicity',
  translate: 'grammar',
  custom: 'grammar',
};

const MESSAGES: Readonly<Record<EditGoal, string>> = {
  correct: 'The model would correct this.',
  tone: 'The model would say this in another tone.',
  shorten: 'The model would say this in fewer words.',
  expand: 'The model would say more here.',
  translate: 'The model would translate this.',
  custom: 'The model would change this.',
};

const EXPLANATION =
  'A language model proposed it. Models make mistakes: read it before you apply it.';

/** The finding in an edit; `goal` is the one it was asked for. Ranges stay as they are. */
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

/** What kind of mistake a correction mends, by what differs. */
function correctionOf(original: string, replacement: string): Check {
  const isSame = (of: (text: string) => string) => of(original) === of(replacement);
  if (isSame((text) => text.toLowerCase())) return 'casing';
  if (isSame((text) => text.replace(/[\p{P}\p{S}\s]+/gu, ' ').trim())) return 'punctuation';
  const isOneWord = [original, replacement].every((text) => /^[\p{L}\p{M}'’-]+$/u.test(text));
  // Another word is no other spelling.
  const isAlike =
    distance(original, replacement) * 2 < Math.max(original.length, replacement.length);
  return isOneWord && isAlike ? 'spelling' : 'grammar';
}

function severityOf(category: Check): Severity {
  return category === 'spelling' || category === 'grammar' ? 'error' : 'warning';
}

/** Findings with what only the whole text tells: ids, lines and columns. They are in the order of the text. */
export function issuesOf(text: string, findings: readonly Finding[]): Issue[] {
  const placeOf = linesOf(text);
  const sentences = findings.map((finding) => sentenceAround(text, finding));
  const ids = issueIds(text, findings, sentences);
  return findings.map((finding, index) => ({
    ...finding,
    id: ids[index] ?? '',
    unit: 'utf16',
    ...placeOf(finding.start),
    source: 'model',
    status: 'open',
  }));
}

/** How far a sentence is looked for to both sides, in UTF-16 units. */
const SENTENCE_REACH = 500;
const SENTENCE_END = /[.!?。！？]\s|\n\s*\n/g;

/** Roughly, in any language: what it does not tell apart only makes an id less exact. */
function sentenceAround(text: string, { start, end }: TextRange): TextRange {
  const reach = Math.max(0, start - SENTENCE_REACH);
  const before = [...text.slice(reach, start).matchAll(SENTENCE_END)].at(-1);
  const [behind] = text.slice(end, end + SENTENCE_REACH).matchAll(SENTENCE_END);
  return {
    start: before ? reach + before.index + before[0].length : reach,
    end: behind ? end + behind.index + 1 : Math.min(end + SENTENCE_REACH, text.length),
  };
}

/** Line and column of places that are asked for in the order of the text. Lines end with a line feed. */
function linesOf(text: string): (at: number) => { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  return (at) => {
    for (let next = text.indexOf('\n', lineStart); next >= 0 && next < at;) {
      line += 1;
      lineStart = next + 1;
      next = text.indexOf('\n', lineStart);
    }
    return { line, column: at - lineStart + 1 };
  };
}

/** Words of the account that an edit would change: they are right as they stand. */
export function changesAcceptedWord(
  { original, replacement }: { original: string; replacement: string },
  accepted: ReadonlySet<string>,
): boolean {
  if (accepted.size === 0) return false;
  const before = original.toLowerCase();
  const after = replacement.toLowerCase();
  return [...accepted].some((word) => holdsWord(before, word) && !holdsWord(after, word));
}

/** In lower case. */
export function acceptedWords({ words, styleRules }: AccountRules): ReadonlySet<string> {
  const ofRules = styleRules.flatMap((rule) => (rule.kind === 'accepted' ? rule.words : []));
  return new Set([...words, ...ofRules].map((word) => word.toLowerCase()));
}

const LETTER = /[\p{L}\p{N}\p{M}]/u;

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isWhole =
      !LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + word.length));
    if (isWhole) return true;
  }
  return false;
}
