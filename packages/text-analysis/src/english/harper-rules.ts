import type { Check, Severity } from '../analysis.js';
import { linesIn, readSections, wordsIn } from '../data-file.js';

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

/** An example of a rule: a text with a mistake, and the text without it. */
export interface RuleExample {
  wrong: string;
  right: string;
}

/** Parses `She {go=>goes} home.` Throws if no mistake is marked. */
export function exampleOf(text: string): RuleExample {
  const mark = /\{(.*?)=>(.*?)\}/g;
  const [wrong, right] = [text.replace(mark, '$1'), text.replace(mark, '$2')];
  if (wrong === right) throw new Error(`An example must mark a mistake: ${text}`);
  return { wrong, right };
}

/** Harper's kind of each rule, and its example if there is one. A rule that reports several kinds has only one here. */
export const HARPER_EXAMPLES: ReadonlyMap<string, { kind: string; example: RuleExample }> =
  readExamples();

function readExamples() {
  const examples = new Map<string, { kind: string; example: RuleExample }>();
  for (const [kind, lines] of readSections(import.meta.url, 'harper-examples.txt')) {
    for (const line of lines) {
      const [, name = '', text = ''] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
      examples.set(name, { kind, example: exampleOf(text) });
    }
  }
  return examples;
}

const chosen = new Map<string, ChosenRule>();

/** Explanations of rules whose description in Harper does not explain them. */
const EXPLANATIONS = new Map(
  linesIn(readSections(import.meta.url, 'harper-explanations.txt'), '').map((line) => {
    const [name = '', ...rest] = line.split(': ');
    return [name, rest.join(': ')];
  }),
);

/** Returns the rule with Harper's name. `kind` matters only if harper-examples.txt does not list the rule. */
export function chosenRule(name: string, kind: string, description: string): ChosenRule {
  const fixedKind = HARPER_EXAMPLES.get(name)?.kind ?? kind;
  const key = `${name} ${fixedKind}`;
  let rule = chosen.get(key);
  if (!rule) {
    const { category, severity } = CATEGORY_OF_KIND[fixedKind] ?? {
      category: 'grammar',
      severity: 'warning',
    };
    rule = {
      name,
      ruleId: `${category}.${kebab(name)}`,
      category,
      severity,
      explanation: EXPLANATIONS.get(name) ?? description.replaceAll('`', '"'),
    };
    chosen.set(key, rule);
  }
  return rule;
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
}
