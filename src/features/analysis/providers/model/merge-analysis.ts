import type {
  AccountRules,
  AnalysisResult,
  AnalysisSettings,
  EngineVersion,
  Finding,
  Severity,
  SuggestionLevel,
} from '@document-service/text-analysis/analysis';
import type { AnalysisOutcome } from '@document-service/text-analysis/analysis-request';
import { acceptedWords, changesAcceptedWord } from './accepted-words.js';
import { issuesOf, MODEL_CHECKS } from './model-findings.js';
import { overlaps } from './place-edits.js';
import { keptOf } from './shown-paragraphs.js';

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
