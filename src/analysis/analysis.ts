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
