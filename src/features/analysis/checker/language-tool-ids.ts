import type { Check, Finding } from '@document-service/text-analysis/analysis';
import type { RuleSelection } from './check-request.js';

/** A category of LanguageTool, with the names that its clients show. */
interface Category {
  id: string;
  name: string;
  issueType: string;
  typeName: string;
  /** The title of a finding. */
  title: string;
}

const TYPOS: Category = {
  id: 'TYPOS',
  name: 'Possible typo',
  issueType: 'misspelling',
  typeName: 'UnknownWord',
  title: 'Spelling mistake',
};
const GRAMMAR: Category = {
  id: 'GRAMMAR',
  name: 'Grammar',
  issueType: 'grammar',
  typeName: 'Other',
  title: 'Grammar',
};
const STYLE: Category = {
  id: 'STYLE',
  name: 'Style',
  issueType: 'style',
  typeName: 'Hint',
  title: 'Style',
};

const CATEGORIES: Readonly<Record<Check, Category>> = {
  spelling: TYPOS,
  grammar: GRAMMAR,
  repetition: { ...GRAMMAR, issueType: 'duplication', title: 'Repeated word' },
  punctuation: {
    id: 'PUNCTUATION',
    name: 'Punctuation',
    issueType: 'typographical',
    typeName: 'Other',
    title: 'Punctuation',
  },
  casing: {
    id: 'CASING',
    name: 'Capitalization',
    issueType: 'typographical',
    typeName: 'Other',
    title: 'Capitalization',
  },
  wordiness: STYLE,
  passive: STYLE,
  inclusive: STYLE,
  simplicity: STYLE,
  length: STYLE,
  'house-style': { ...STYLE, title: 'House style' },
};

/** The rule that every dictionary reports unknown words with. */
const UNKNOWN_WORD = 'spelling.unknown-word';

/** LanguageTool's spelling rules whose names do not follow from the language. */
const SPELLING_RULES: Readonly<Record<string, string>> = {
  en: 'MORFOLOGIK_RULE_EN_US',
  de: 'GERMAN_SPELLER_RULE',
  'de-DE': 'GERMAN_SPELLER_RULE',
  'de-AT': 'AUSTRIAN_GERMAN_SPELLER_RULE',
  'de-CH': 'SWISS_GERMAN_SPELLER_RULE',
  fr: 'FR_SPELLING_RULE',
  nl: 'MORFOLOGIK_RULE_NL_NL',
  pl: 'MORFOLOGIK_RULE_PL_PL',
  pt: 'MORFOLOGIK_RULE_PT_BR',
  da: 'HUNSPELL_RULE',
  sv: 'HUNSPELL_RULE',
};

export function categoryOf({ category }: Pick<Finding, 'category'>): Category {
  return CATEGORIES[category];
}

/**
 * Returns LanguageTool's id of a rule. Clients recognize spelling rules by LanguageTool's names, for example to offer
 * "Add to dictionary". All other rules are called as in the service: `grammar.an-a` is `GRAMMAR_AN_A`.
 */
export function languageToolId(ruleId: string, language: string): string {
  if (ruleId === UNKNOWN_WORD) {
    const [base = language] = language.split('-');
    return (
      SPELLING_RULES[language] ??
      (base === 'en' || base === 'pt' ? undefined : SPELLING_RULES[base]) ??
      `MORFOLOGIK_RULE_${upperSnake(language)}`
    );
  }
  return upperSnake(ruleId);
}

function upperSnake(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '_').toUpperCase();
}

/** Returns true if the finding is wanted. The selection may contain ids of LanguageTool and of the service. */
export function isSelected(
  finding: Pick<Finding, 'ruleId' | 'category' | 'severity'>,
  language: string,
  isPicky: boolean,
  rules: RuleSelection,
): boolean {
  const ids = [languageToolId(finding.ruleId, language), finding.ruleId.toUpperCase()];
  const categories = [categoryOf(finding).id, finding.category.toUpperCase()];
  const isEnabled =
    ids.some((id) => rules.enabledRules.includes(id)) ||
    categories.some((id) => rules.enabledCategories.includes(id));
  if (rules.enabledOnly) return isEnabled;
  if (ids.some((id) => rules.disabledRules.includes(id))) return false;
  if (isEnabled) return true;
  if (categories.some((id) => rules.disabledCategories.includes(id))) return false;
  return isPicky || finding.severity !== 'style';
}

/** Returns true if an enabled rule or category may need findings that only the picky level has. */
export function enablesStyle({ enabledRules, enabledCategories }: RuleSelection): boolean {
  const isOther = (id: string) =>
    !/^(?:SPELLING|MORFOLOGIK|HUNSPELL)|_SPELL(?:ER|ING)_RULE$/.test(id);
  return (
    enabledRules.some(isOther) ||
    enabledCategories.some((id) => !['TYPOS', 'SPELLING'].includes(id))
  );
}
