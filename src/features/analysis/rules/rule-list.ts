import type { Check, Severity } from '@document-service/text-analysis/analysis';
import { ANALYSIS_RULES, type AnalysisRule } from '@document-service/text-analysis/analysis-rules';
import { baseLanguage } from '@document-service/text-analysis/language/base-language';
import { requestedLanguage } from '@document-service/text-analysis/language/requested-language';
import { MODEL_RULES } from '../providers/model/model-findings.js';

/** A rule as the API lists it. */
export interface ListedRule extends Omit<AnalysisRule, 'source'> {
  source: AnalysisRule['source'] | 'model';
  category: Check;
  severity: Severity;
}

/** All rules except style rules, ordered by id. */
export const RULES: readonly ListedRule[] = [...ANALYSIS_RULES, ...MODEL_RULES].sort(
  (one, other) => (one.id < other.id ? -1 : 1),
);

const IDS = new Set(RULES.map(({ id }) => id));

export function isRule(id: string): boolean {
  return IDS.has(id);
}

interface RuleFilter {
  category?: readonly string[] | undefined;
  /** A BCP 47 tag or a name. Its region does not matter. */
  language?: string | undefined;
  disabled?: boolean | undefined;
  /** Words that must all occur in the id, description or example, in any case. */
  search?: string | undefined;
}

/** Returns the rules that match, ordered by id. `disabled` has the ids that the account switched off. */
export function findRules(filter: RuleFilter, disabled: ReadonlySet<string>): ListedRule[] {
  const { category, language, search = '' } = filter;
  const asked = requestedLanguage(language);
  const base = asked.kind === 'known' ? baseLanguage(asked.code) : undefined;
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return RULES.filter(
    (rule) =>
      (!category || category.includes(rule.category)) &&
      // Rules without languages apply to all.
      (base === undefined || rule.languages.length === 0 || rule.languages.includes(base)) &&
      (filter.disabled === undefined || filter.disabled === disabled.has(rule.id)) &&
      includesAll(rule, words),
  );
}

function includesAll({ id, description, example }: ListedRule, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${id} ${description} ${example?.wrong ?? ''} ${example?.right ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
