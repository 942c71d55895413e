import { CONFUSED_WORD } from './confused-words.js';
import { PHRASE_RULES } from './phrase-rules.js';
import type { RuleDescription } from './rule-description.js';
import { CAPITAL_AFTER_COMMA, SENTENCE_START } from './sentence-case.js';
import { STYLE_RULES } from './style-rules.js';
import { TAGGED_RULES } from './tagged-rules.js';

/** The service's own rules for English, without spelling and Harper's rules. Several may share a `ruleId`. */
export const ENGLISH_RULES: readonly RuleDescription[] = [
  ...PHRASE_RULES,
  ...TAGGED_RULES,
  ...STYLE_RULES,
  CONFUSED_WORD,
  SENTENCE_START,
  CAPITAL_AFTER_COMMA,
].map(({ ruleId, category, severity, explanation, example }) => ({
  ruleId,
  category,
  severity,
  explanation,
  example,
}));
