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
import { listedIssues } from '@document-service/text-analysis/issues';
import { paragraphsOf } from '@document-service/text-analysis/paragraphs';
import type { Paragraph } from '@document-service/text-analysis/text/prose';
import { overlap } from '../../enhancements/apply-suggestions.js';
import type { ShownParagraph } from './place-edits.js';
import { acceptedWords, changesAcceptedWord, issuesOf, MODEL_CHECKS } from './model-findings.js';

/** Slow steps for long texts, other than the model calls. */
export type ModelTask =
  | { kind: 'show'; text: string; format: TextFormat; key: string; stored: string | null }
  | { kind: 'merge'; made: ModelFindings };

export default threadTask((task: ModelTask) =>
  task.kind === 'show'
    ? shownOf(task.text, task.format, task.key, task.stored)
    : mergeAnalysis(task.made),
);

/** Maximum UTF-16 units of text in one call. Longer paragraphs are split. */
const PIECE_UNITS = 6_000;
/** Maximum UTF-16 units of the headings in {@link Shown.outline}, which every call repeats. */
const OUTLINE_UNITS = 800;

/** A paragraph, or a part of a long one. */
export interface HashedParagraph extends ShownParagraph {
  /** Hash of everything that determines the model's findings: text, masks, engine and settings. */
  hash: string;
}

export interface Shown {
  /** The paragraphs for each call. */
  pieces: HashedParagraph[][];
  /** Stored findings of unchanged paragraphs. */
  known: { paragraph: HashedParagraph; findings: Finding[] }[];
  /** The first headings of the text, one per line. */
  outline: string;
}

/**
 * Splits the prose of a text into calls of limited size. `key` identifies everything that determines the response, except
 * the text. `stored` is the JSON text of paragraphs from an earlier analysis.
 */
function shownOf(text: string, format: TextFormat, key: string, stored: string | null): Shown {
  const before = new Map(
    storedParagraphs(stored).map((paragraph) => [paragraph.hash, paragraph.findings]),
  );
  const paragraphs = paragraphsOf(text, format);
  const shown: Shown = { pieces: [], known: [], outline: outlineOf(text, paragraphs) };
  let piece: HashedParagraph[] = [];
  let pieceUnits = 0;
  const close = () => {
    if (piece.length > 0) shown.pieces.push(piece);
    piece = [];
    pieceUnits = 0;
  };
  for (const paragraph of partsOf(text, paragraphs)) {
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

function outlineOf(text: string, paragraphs: readonly Paragraph[]): string {
  const lines: string[] = [];
  let units = 0;
  for (const { kind, start, end, depth = 1 } of paragraphs) {
    if (kind !== 'heading') continue;
    const line = `${'#'.repeat(depth)} ${text.slice(start, end).replace(/\s+/g, ' ')}`;
    units += line.length + 1;
    if (units > OUTLINE_UNITS) break;
    lines.push(line);
  }
  return lines.join('\n');
}

function* partsOf(text: string, paragraphs: readonly Paragraph[]): Generator<ShownParagraph> {
  for (const { start, end, masked } of paragraphs) {
    const paragraph = { start, end, text: text.slice(start, end), masked };
    if (paragraph.text.length <= PIECE_UNITS) yield paragraph;
    else yield* cut(paragraph);
  }
}

/** Splits a paragraph after white space, or at the size limit if there is none. */
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

/** Includes the masks, because they can change with the rest of the document: a reference definition can create a link. */
function hashOf(key: string, { text, masked }: ShownParagraph): string {
  const masks = masked.map(({ start, end }) => [start, end]);
  return createHash('sha256')
    .update(JSON.stringify([key, text, masks]))
    .digest('base64url')
    .slice(0, 22);
}

/** Parses stored paragraphs. Ignores those of a different engine, because their form may differ. */
function storedParagraphs(json: string | null): KeptParagraph[] {
  const paragraphs: unknown = json === null ? [] : JSON.parse(json);
  return Array.isArray(paragraphs) ? (paragraphs as KeptParagraph[]) : [];
}

/** A model's findings in a paragraph. Ranges are relative to the paragraph, so that the next analysis can reuse them. */
export interface FoundInParagraph {
  hash: string;
  start: number;
  findings: Finding[];
}

interface ModelFindings {
  text: string;
  offline: AnalysisOutcome;
  found: FoundInParagraph[];
  settings: AnalysisSettings;
  rules: AccountRules;
  dismissed: readonly string[];
  engine: EngineVersion;
}

const SHOWN_SEVERITIES: Readonly<Record<SuggestionLevel, readonly Severity[]>> = {
  low: ['error'],
  medium: ['error', 'warning'],
  high: ['error', 'warning', 'style'],
};

/**
 * Adds a model's findings to the offline analysis. Where both report the same passage, the offline finding wins, because
 * it has an explanation. Statistics and scores come from the offline engine, so both providers score a text equally.
 */
function mergeAnalysis(made: ModelFindings): AnalysisOutcome {
  const { offline, settings } = made;
  const result = JSON.parse(offline.result) as AnalysisResult;
  const severities = SHOWN_SEVERITIES[settings.suggestionLevel];
  const accepted = acceptedWords(made.rules);
  const disabled = new Set(made.rules.disabledRules);
  const findings = made.found
    .flatMap(({ start, findings: relative }) =>
      relative.map((one) => ({ ...one, start: one.start + start, end: one.end + start })),
    )
    .filter(
      ({ category, severity }) =>
        settings.checks.includes(category) && severities.includes(severity),
    )
    .filter(({ ruleId }) => !disabled.has(ruleId))
    .filter(({ original, replacements: [best] }) => {
      return !changesAcceptedWord({ original, replacement: best?.value ?? '' }, accepted);
    })
    .filter((finding) => !result.issues.some((issue) => overlap(issue, finding)))
    .sort((one, other) => one.start - other.start);
  const dismissed = new Set(made.dismissed);
  const ofModel = issuesOf(made.text, findings).map((issue) =>
    dismissed.has(issue.id) ? { ...issue, status: 'rejected' as const } : issue,
  );
  const issues = [...result.issues, ...ofModel].sort(
    (one, other) => one.start - other.start || one.end - other.end,
  );
  const isModelCheck = (check: string) => MODEL_CHECKS.some((one) => one === check);
  const listed = listedIssues(issues);
  const merged: AnalysisResult = {
    ...result,
    issues: listed.issues,
    issuesOmitted: result.issuesOmitted + listed.issuesOmitted,
    unsupportedChecks: result.unsupportedChecks.filter(({ check }) => !isModelCheck(check)),
    engine: made.engine,
  };
  const issueCounts = { error: 0, warning: 0, style: 0 };
  for (const { severity, status } of issues) issueCounts[severity] += status === 'open' ? 1 : 0;
  const paragraphs = made.found.map(({ hash, findings: relative }) => ({
    hash,
    language: result.language.code,
    findings: relative,
  }));
  return {
    result: JSON.stringify(merged),
    paragraphs: JSON.stringify([...storedParagraphs(offline.paragraphs), ...paragraphs]),
    overall: offline.overall,
    digest: { ...offline.digest, issueCounts },
  };
}
