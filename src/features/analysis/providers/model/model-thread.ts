import { threadTask } from '../../../../platform/threads/thread-task.js';
import type { TextFormat, AnalysisOutcome } from '@document-service/text-analysis/analysis-request';
import { createHash } from 'node:crypto';
import type {
  Finding,
  KeptParagraph,
  AccountRules,
  AnalysisResult,
  AnalysisSettings,
  EngineVersion,
  Severity,
  SuggestionLevel,
} from '@document-service/text-analysis/analysis';
import { paragraphsOf } from '@document-service/text-analysis/paragraphs';
import { type ShownParagraph, overlaps } from './place-edits.js';
import { acceptedWords, changesAcceptedWord, issuesOf, MODEL_CHECKS } from './model-findings.js';

/** What takes a while with a long text, beside the calls. */
export type ModelTask =
  | { kind: 'show'; text: string; format: TextFormat; key: string; kept: string | null }
  | { kind: 'merge'; made: ModelFindings };

export default threadTask((task: ModelTask) =>
  task.kind === 'show'
    ? shownOf(task.text, task.format, task.key, task.kept)
    : mergeAnalysis(task.made),
);

/** What a model is shown at once, in UTF-16 units. A longer paragraph is shown in parts. */
const PIECE_UNITS = 6_000;
/** What a model is shown of one text in all; the rest is looked at offline only. */
const MAX_SHOWN_UNITS = 200_000;
const CUT = `The model was shown the first ${MAX_SHOWN_UNITS.toLocaleString('en')} characters of prose only; the rest was looked at offline.`;

/** A paragraph, or a part of a long one, with what is known of it. */
export interface HashedParagraph extends ShownParagraph {
  /** Of its text and of all that decides what a model finds in it. */
  hash: string;
}

export interface Shown {
  /** What is shown in one call each. */
  pieces: HashedParagraph[][];
  /** What was found earlier in paragraphs that are as they were. */
  known: { paragraph: HashedParagraph; findings: Finding[] }[];
  /** Why a part of the text is not shown; empty when all is. */
  warnings: string[];
}

/**
 * Cuts a text into what a model is shown: prose only, in calls of bounded size. `key` names all but the text that decides
 * the answer; `kept` is what earlier analyses kept, as JSON text.
 */
export function shownOf(text: string, format: TextFormat, key: string, kept: string | null): Shown {
  const before = new Map(keptOf(kept).map((paragraph) => [paragraph.hash, paragraph.findings]));
  const shown: Shown = { pieces: [], known: [], warnings: [] };
  let units = 0;
  let piece: HashedParagraph[] = [];
  let pieceUnits = 0;
  const close = () => {
    if (piece.length > 0) shown.pieces.push(piece);
    piece = [];
    pieceUnits = 0;
  };
  for (const paragraph of partsOf(text, format)) {
    units += paragraph.text.length;
    if (units > MAX_SHOWN_UNITS) {
      shown.warnings.push(CUT);
      break;
    }
    const hashed = { ...paragraph, hash: hashOf(key, paragraph) };
    const findings = before.get(hashed.hash);
    if (findings) {
      shown.known.push({ paragraph: hashed, findings });
      continue;
    }
    if (pieceUnits + paragraph.text.length > PIECE_UNITS) close();
    piece.push(hashed);
    pieceUnits += paragraph.text.length;
  }
  close();
  return shown;
}

function* partsOf(text: string, format: TextFormat): Generator<ShownParagraph> {
  for (const { start, end, masked } of paragraphsOf(text, format)) {
    const paragraph = { start, end, text: text.slice(start, end), masked };
    if (paragraph.text.length <= PIECE_UNITS) yield paragraph;
    else yield* cut(paragraph);
  }
}

/** Cuts behind a white space outside of what is masked, else where the part is full. */
function* cut({ start, text, masked }: ShownParagraph): Generator<ShownParagraph> {
  for (let from = 0; from < text.length;) {
    const to = Math.min(from + PIECE_UNITS, text.length);
    const end = to === text.length ? to : (lastSpace(text, from, to) ?? wholeCharacter(text, to));
    yield {
      start: start + from,
      end: start + end,
      text: text.slice(from, end),
      masked: masked
        .filter((mask) => mask.start < end && mask.end > from)
        .map((mask) => ({
          start: Math.max(mask.start - from, 0),
          end: Math.min(mask.end, end) - from,
        })),
    };
    from = end;
  }
}

function lastSpace(text: string, from: number, to: number): number | undefined {
  for (let at = to - 1; at > from + PIECE_UNITS / 2; at -= 1) {
    if (/\s/.test(text.charAt(at)) && text.charAt(at) !== '\r') return at + 1;
  }
  return undefined;
}

function wholeCharacter(text: string, at: number): number {
  return text.slice(0, at).isWellFormed() ? at : at - 1;
}

/** The same text with other masks is another one: a reference that is defined elsewhere may make a link of it. */
function hashOf(key: string, { text, masked }: ShownParagraph): string {
  const masks = masked.map(({ start, end }) => [start, end]);
  return createHash('sha256')
    .update(JSON.stringify([key, text, masks]))
    .digest('base64url')
    .slice(0, 22);
}

/** What cannot be read was kept by another engine. */
export function keptOf(json: string | null): KeptParagraph[] {
  const kept: unknown = json === null ? [] : JSON.parse(json);
  return Array.isArray(kept) ? (kept as KeptParagraph[]) : [];
}

/** What a model found in a paragraph: ranges are relative to it, to be kept for the next analysis. */
export interface FoundInParagraph {
  hash: string;
  start: number;
  findings: Finding[];
}

export interface ModelFindings {
  text: string;
  offline: AnalysisOutcome;
  found: FoundInParagraph[];
  settings: AnalysisSettings;
  rules: AccountRules;
  dismissed: readonly string[];
  engine: EngineVersion;
  /** Why the model has not seen the whole text; empty when it has. */
  warnings: string[];
}

const TOLD: Readonly<Record<SuggestionLevel, readonly Severity[]>> = {
  low: ['error'],
  medium: ['error', 'warning'],
  high: ['error', 'warning', 'style'],
};

/**
 * The offline analysis with what a model found beside: where both say something of a passage, the rule is kept, because it
 * can be explained. Statistics and scores stay those of the rules: the same text has the same scores under both providers.
 */
export function mergeAnalysis(made: ModelFindings): AnalysisOutcome {
  const { offline, settings } = made;
  const result = JSON.parse(offline.result) as AnalysisResult;
  const told = TOLD[settings.suggestionLevel];
  const accepted = acceptedWords(made.rules);
  const findings = made.found
    .flatMap(({ start, findings: relative }) =>
      relative.map((one) => ({ ...one, start: one.start + start, end: one.end + start })),
    )
    .filter(
      ({ category, severity }) => settings.checks.includes(category) && told.includes(severity),
    )
    .filter(({ original, replacements: [best] }) => {
      return !changesAcceptedWord({ original, replacement: best?.value ?? '' }, accepted);
    })
    .filter((finding) => !result.issues.some((issue) => overlaps(issue, finding)))
    .sort((one, other) => one.start - other.start);
  const dismissed = new Set(made.dismissed);
  const ofModel = issuesOf(made.text, findings).map((issue) =>
    dismissed.has(issue.id) ? { ...issue, status: 'rejected' as const } : issue,
  );
  const issues = [...result.issues, ...ofModel].sort(
    (one, other) => one.start - other.start || one.end - other.end,
  );
  const looksAt = (check: string) => MODEL_CHECKS.some((one) => one === check);
  const merged: AnalysisResult = {
    ...result,
    effectiveSettings: {
      ...result.effectiveSettings,
      warnings: [...result.effectiveSettings.warnings, ...made.warnings],
    },
    issues,
    unsupportedChecks:
      made.warnings.length === 0
        ? result.unsupportedChecks.filter(({ check }) => !looksAt(check))
        : result.unsupportedChecks,
    engine: made.engine,
  };
  const issueCounts = { error: 0, warning: 0, style: 0 };
  for (const { severity, status } of issues) issueCounts[severity] += status === 'open' ? 1 : 0;
  const kept = made.found.map(({ hash, findings: relative }) => ({
    hash,
    language: result.language.code,
    findings: relative,
  }));
  return {
    result: JSON.stringify(merged),
    paragraphs: JSON.stringify([...keptOf(offline.paragraphs), ...kept]),
    overall: offline.overall,
    digest: { ...offline.digest, issueCounts },
  };
}
