/** Checks that an analysis can make. Each is a category of findings. */
export const CHECKS = [
  'spelling',
  'grammar',
  'punctuation',
  'casing',
  'repetition',
  'wordiness',
  'passive',
  'inclusive',
  'simplicity',
  'length',
  'house-style',
] as const;
export type Check = (typeof CHECKS)[number];

/** `error`: wrong. `warning`: probably wrong, or hard to read. `style`: another wording may work better for the reader. */
export const SEVERITIES = ['error', 'warning', 'style'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Which findings to report: `low`: errors. `medium`: also warnings. `high`: also style. */
export const SUGGESTION_LEVELS = ['low', 'medium', 'high'] as const;
export type SuggestionLevel = (typeof SUGGESTION_LEVELS)[number];

/** A range of a text, in UTF-16 units. It never splits a surrogate pair. */
export interface TextRange {
  start: number;
  end: number;
}

export interface Replacement {
  value: string;
  /** 0 to 1: the estimated chance that this replacement is right. */
  confidence: number;
}

/** A problem that a rule reports. */
export interface Finding extends TextRange {
  /** Stable `<family>.<rule>`, such as `spelling.unknown-word` or `grammar.an-a`. */
  ruleId: string;
  category: Check;
  severity: Severity;
  /** One short sentence about this passage. */
  message: string;
  /** Why the rule exists, for readers who do not know it. */
  explanation: string;
  /** The passage, exactly as in the text. */
  original: string;
  /** Best first. Empty if the rule suggests none. */
  replacements: Replacement[];
}

/** A detected or requested language. Codes are BCP 47, such as `en` or `pt-BR`; `und` if unknown. */
export interface LanguageGuess {
  code: string;
  source: 'requested' | 'detected';
  confidence: number;
}

export const ISSUE_STATUSES = ['open', 'accepted', 'rejected', 'stale'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

/** A finding as the API returns it. */
export interface Issue extends Finding {
  /** Stable: the same finding in the same sentence has the same id in every analysis of the document. */
  id: string;
  unit: 'utf16';
  /** Starts at 1. */
  line: number;
  /** Starts at 1, in UTF-16 units. */
  column: number;
  source: 'rule' | 'model';
  /** True if the first replacement is safe to apply without a review, see `isSafe`. */
  safe: boolean;
  status: IssueStatus;
}

/** A requested check that is not available for a language of the text. */
export interface UnsupportedCheck {
  check: Check;
  language: string;
  reason: string;
}

/** Settings that decide what is found. */
export interface AnalysisSettings {
  checks: Check[];
  /** As the client sent it. `auto` detects the language. */
  language: string;
  suggestionLevel: SuggestionLevel;
  /** The requested level, if it is unknown and `suggestionLevel` replaces it. */
  unknownLevel?: string | undefined;
}

/** Returns warnings about settings that were replaced. */
export function settingsWarnings({ unknownLevel, suggestionLevel }: AnalysisSettings): string[] {
  if (unknownLevel === undefined) return [];
  return [`Unknown suggestionLevel "${unknownLevel}"; ${suggestionLevel} was used.`];
}

/** An account's dictionary, its active style rules, and the rules that it switched off. */
export interface AccountRules {
  words: string[];
  styleRules: StyleRule[];
  /** Ids of rules whose findings are dropped. None if missing. */
  disabledRules?: readonly string[];
}

/** A style rule of an account. */
export type StyleRule = {
  id: string;
  severity: Severity;
  message: string | null;
} & (
  | { kind: 'replacement'; from: string[]; to: string }
  | { kind: 'banned'; phrases: string[] }
  | { kind: 'pattern'; pattern: string; replacement: string | null }
  | { kind: 'occurrence'; pattern: string; max: number; scope: 'sentence' | 'paragraph' }
  | { kind: 'accepted'; words: string[] }
);

export interface EngineVersion {
  name: string;
  version: string;
}

/** Scores from 0 to 100. `null` if nothing was measured. */
export interface Scores extends Record<
  'overall' | 'correctness' | 'clarity' | 'engagement',
  number | null
> {
  /** Missing in older analyses. */
  basis?: ScoreBasis;
}

/** What each score is based on. docs/guides/scores-and-readability.md explains the values. */
export interface ScoreBasis {
  correctness: 'full' | 'partial' | 'spelling' | 'none';
  clarity: 'full' | 'partial' | 'sentence length' | 'none';
  engagement: 'full' | 'partial' | 'none';
}

/** The result of an analysis. */
export interface AnalysisResult {
  language: LanguageGuess;
  effectiveSettings: Omit<AnalysisSettings, 'unknownLevel'> & { warnings: string[] };
  statistics: object;
  readability: object | null;
  scores: Scores;
  keywords: object[];
  summary: object[];
  outline: object[];
  sentiment: object | null;
  issues: Issue[];
  /** Number of issues that were found but not listed. */
  issuesOmitted: number;
  unsupportedChecks: UnsupportedCheck[];
  engine: EngineVersion;
}

/** Findings of a paragraph, stored so that the next analysis can skip it. */
export interface KeptParagraph {
  /** Hash of the text and of everything that decides what is found in it. */
  hash: string;
  language: string;
  /** Hash of the text alone, and its language without context. Only set if the language was detected. */
  text?: string;
  guess?: { code: string; confidence: number };
  /** Ranges are relative to the paragraph. */
  findings: Finding[];
  /** What the checks of the paragraph left out. */
  warnings?: string[];
}
