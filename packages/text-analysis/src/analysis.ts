/** What an analysis can look for. Each is a category of findings. */
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

/** `error`: it is wrong; `warning`: it probably is, or is hard to read; `style`: another wording may serve the reader better. */
export const SEVERITIES = ['error', 'warning', 'style'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How much is told: errors; and warnings; and style. */
export const SUGGESTION_LEVELS = ['low', 'medium', 'high'] as const;
export type SuggestionLevel = (typeof SUGGESTION_LEVELS)[number];

/** Where something stands in a text, in UTF-16 units; never between the halves of a surrogate pair. */
export interface TextRange {
  start: number;
  end: number;
}

export interface Replacement {
  value: string;
  /** 0 to 1; from 0.9 on it may be applied unseen when it is the only one. */
  confidence: number;
}

/** Something that a rule says of a passage. */
export interface Finding extends TextRange {
  /** `<family>.<rule>`, stable: `spelling.unknown-word`, `grammar.a-an`. */
  ruleId: string;
  category: Check;
  severity: Severity;
  /** One short sentence about this passage. */
  message: string;
  /** Why the rule exists, for somebody who does not know it. */
  explanation: string;
  /** The passage, exactly as it stands in the text. */
  original: string;
  /** The best one first; empty when the rule knows none. */
  replacements: Replacement[];
}

/** `und` where the language cannot be told. Codes are BCP-47: `en`, `pt-BR`. */
export interface LanguageGuess {
  code: string;
  /** `requested`, or `detected` from the text. */
  source: 'requested' | 'detected';
  confidence: number;
}

export const ISSUE_STATUSES = ['open', 'accepted', 'rejected', 'stale'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

/** A finding in a text, as answers show it. */
export interface Issue extends Finding {
  /** The same for the same finding in the same sentence, in every analysis of the document. */
  id: string;
  unit: 'utf16';
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  source: 'rule' | 'model';
  status: IssueStatus;
}

/** A check that was asked for and could not be made in a language of the text. */
export interface UnsupportedCheck {
  check: Check;
  language: string;
  reason: string;
}

/** What decides what is found, beside the text. */
export interface AnalysisSettings {
  checks: Check[];
  /** As the client says it; `auto` detects. */
  language: string;
  suggestionLevel: SuggestionLevel;
}

/** Right words of an account, its house rules in force, and the findings that somebody dismissed in this document. */
export interface AccountRules {
  words: string[];
  styleRules: StyleRule[];
}

/** A rule of an account's own. */
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

/** What was found in a text. */
export interface AnalysisResult {
  language: LanguageGuess;
  effectiveSettings: AnalysisSettings & { warnings: string[] };
  statistics: object;
  readability: object | null;
  scores: Record<'overall' | 'correctness' | 'clarity' | 'engagement', number | null>;
  keywords: object[];
  summary: object[];
  outline: object[];
  sentiment: object | null;
  issues: Issue[];
  /** Found, and not listed. */
  issuesOmitted: number;
  unsupportedChecks: UnsupportedCheck[];
  engine: EngineVersion;
}

/** What is kept of a paragraph, so that the next analysis of the document need not look at it again. */
export interface KeptParagraph {
  /** Of its text and of all that decides what is found in it. */
  hash: string;
  language: string;
  /** Hash of its text alone, and what its language was told to be by itself; only of texts whose language was detected. */
  text?: string;
  guess?: { code: string; confidence: number };
  /** Ranges relative to the paragraph. */
  findings: Finding[];
}
