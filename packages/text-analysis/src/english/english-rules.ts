import { CONFUSED_WORD } from './confused-words.js';
import { PHRASE_RULES } from './phrase-rules.js';
import type { RuleDescription } from './rule-description.js';
import { STYLE_RULES } from './style-rules.js';
import { TAGGED_RULES } from './tagged-rules.js';

/** The service's own rules for English, without spelling and Harper's rules. Several may share a `ruleId`. */
export const ENGLISH_RULES: readonly RuleDescription[] = [
  ...PHRASE_RULES,
  ...TAGGED_RULES,
  ...STYLE_RULES,
  CONFUSED_WORD,
].map(({ ruleId, category, severity, explanation, example }) => ({
  ruleId,
  category,
  severity,
  explanation,
  example,
}));
