import type { Check, Severity } from '../analysis.js';
import { readSections, wordsIn } from '../data-file.js';

/** A rule of Harper as the service presents it. */
export interface ChosenRule {
  /** Harper's name of the rule. */
  name: string;
  ruleId: string;
  category: Check;
  severity: Severity;
  explanation: string;
}

/** Names of Harper's rules that are switched off. */
export const HARPER_RULES_OFF = new Set(
  wordsIn(readSections(import.meta.url, 'harper-rules-off.txt'), ''),
);

const CATEGORY_OF_KIND: Readonly<Record<string, { category: Check; severity: Severity }>> = {
  Agreement: { category: 'grammar', severity: 'error' },
  BoundaryError: { category: 'spelling', severity: 'error' },
  Capitalization: { category: 'casing', severity: 'warning' },
  Eggcorn: { category: 'grammar', severity: 'warning' },
  Enhancement: { category: 'wordiness', severity: 'style' },
  Formatting: { category: 'punctuation', severity: 'warning' },
  Grammar: { category: 'grammar', severity: 'error' },
  Malapropism: { category: 'grammar', severity: 'warning' },
  Miscellaneous: { category: 'grammar', severity: 'warning' },
  Nonstandard: { category: 'grammar', severity: 'warning' },
  Punctuation: { category: 'punctuation', severity: 'warning' },
  Readability: { category: 'wordiness', severity: 'style' },
  Redundancy: { category: 'wordiness', severity: 'style' },
  Regionalism: { category: 'grammar', severity: 'style' },
  Repetition: { category: 'repetition', severity: 'error' },
  Spelling: { category: 'spelling', severity: 'error' },
  Style: { category: 'wordiness', severity: 'style' },
  Typo: { category: 'spelling', severity: 'error' },
  Usage: { category: 'grammar', severity: 'warning' },
  WordChoice: { category: 'grammar', severity: 'warning' },
  WordOrder: { category: 'grammar', severity: 'warning' },
};

const chosen = new Map<string, ChosenRule>();

export function chosenRule(name: string, kind: string, description: string): ChosenRule {
  const key = `${name} ${kind}`;
  let rule = chosen.get(key);
  if (!rule) {
    const { category, severity } = CATEGORY_OF_KIND[kind] ?? {
      category: 'grammar',
      severity: 'warning',
    };
    rule = {
      name,
      ruleId: `${category}.${kebab(name)}`,
      category,
      severity,
      explanation: description.replaceAll('`', '"'),
    };
    chosen.set(key, rule);
  }
  return rule;
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
}
