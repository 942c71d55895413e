// Writes the list of analysis rules and its pages in the documentation. Runs every example, and fails if its rule does not
// report it. `--check` compares instead of writing.
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import {
  CHECKS,
  type AnalysisResult,
  type Check,
  type Issue,
  type SuggestionLevel,
} from '@document-service/text-analysis/analysis';
import type { AnalysisRule } from '@document-service/text-analysis/analysis-rules';
import { readSections } from '@document-service/text-analysis/data-file';
import { Engine } from '@document-service/text-analysis/engine';
import { Harper } from '@document-service/text-analysis/english/harper';
import {
  chosenRule,
  exampleOf,
  HARPER_EXAMPLES,
  type RuleExample,
} from '@document-service/text-analysis/english/harper-rules';
import type { RuleDescription } from '@document-service/text-analysis/english/rule-description';
import { ENHANCEMENT_RULES } from '@document-service/text-analysis/enhance/enhancement-rules';
import { ENGLISH_RULES } from '@document-service/text-analysis/english/english-rules';

const SOURCES = new URL('../src/', import.meta.url);
const LIST = new URL('analysis-rules.json', SOURCES);
const PAGES = new URL('../../../docs/guides/', import.meta.url);

/** A page of the documentation that lists rules. As HTML, it must stay below 60 KB. */
interface RulePage {
  file: string;
  title: string;
  categories: readonly Check[];
  /** Pattern of the rule IDs, if the category has several pages. */
  letters?: RegExp;
}

const grammarPage = (from: string, to: string): RulePage => ({
  file: `analysis-rules-grammar-${from}-${to}.md`,
  title: `Grammar rules, ${from.toUpperCase()} to ${to.toUpperCase()}`,
  categories: ['grammar'],
  letters: new RegExp(`^[a-z]+\\.[${from}-${to}]`),
});

const RULE_PAGES: readonly RulePage[] = [
  { file: 'analysis-rules-spelling.md', title: 'Spelling rules', categories: ['spelling'] },
  grammarPage('a', 'c'),
  grammarPage('d', 'i'),
  grammarPage('j', 'p'),
  grammarPage('q', 'z'),
  {
    file: 'analysis-rules-punctuation.md',
    title: 'Punctuation and capitalization rules',
    categories: ['punctuation', 'casing'],
  },
  {
    file: 'analysis-rules-style.md',
    title: 'Style rules',
    categories: ['repetition', 'wordiness', 'passive', 'inclusive', 'simplicity', 'length'],
  },
];

const problems: string[] = [];
const engine = new Engine(undefined);
const harper = await Harper.load();

/** Returns the rules of Harper that are on. Spelling is judged by our own rule. */
function harperRules(): AnalysisRule[] {
  const on = [...harper.rules].filter(([name]) => name !== 'SpellCheck');
  const rules: AnalysisRule[] = [];
  for (const [name, description] of on) {
    const { ruleId, category, severity, explanation } = chosenRule(name, '', description);
    const example = HARPER_EXAMPLES.get(name)?.example ?? null;
    if (!HARPER_EXAMPLES.has(name))
      problems.push(
        `${name}: add the rule to harper-examples.txt, in the section of Harper's kind.`,
      );
    rules.push({
      id: ruleId,
      category,
      severity,
      languages: ['en'],
      description: explanation,
      example,
      source: 'harper',
    });
  }
  return rules;
}

/** Returns our rules. `rule-examples.txt` wins over the examples in the code, which english.spec.ts and enhance.spec.ts check. */
async function builtInRules(): Promise<AnalysisRule[]> {
  const rules: AnalysisRule[] = [];
  const sections = readSections(new URL('index.ts', SOURCES).href, 'rule-examples.txt');
  const ofEnhancements = new Map<string, string>();
  for (const [language, lines] of sections) {
    for (const line of lines) {
      const [, id = '', text = ''] = /^(\S+): (.+)$/.exec(line) ?? [];
      if (language === 'enhancements') {
        ofEnhancements.set(id, text);
        continue;
      }
      const example = exampleOf(text);
      const issues = await issuesIn(example.wrong, language, 'high');
      const issue = issues.find((one) => one.ruleId === id && offers(example, one));
      if (issue) rules.push(builtInRule(issue, [language], example));
      else
        problems.push(
          `${id}: the engine does not report "${example.wrong}" or offer "${example.right}".`,
        );
    }
  }
  for (const rule of ENGLISH_RULES) rules.push(builtInRule(rule, ['en'], exampleOf(rule.example)));
  for (const rule of ENHANCEMENT_RULES) {
    const text = ofEnhancements.get(rule.ruleId) ?? rule.example;
    const languages = rule.ruleId === 'consistency.list-end' ? [] : ['en'];
    rules.push(builtInRule(rule, languages, exampleOf(text)));
  }
  return rules;
}

function builtInRule(
  { ruleId: id, category, severity, explanation: description }: Omit<RuleDescription, 'example'>,
  languages: string[],
  example: RuleExample,
): AnalysisRule {
  const source = 'built-in';
  return { id, category, severity, languages, description, example, source };
}

/**
 * Adds a problem unless the wrong text of a rule has only findings of this rule, one of which offers the right text, and
 * the right text has none, except for matters of style. The language is detected, as for a client that sends only a text.
 */
async function checkExample({ id, severity, example }: AnalysisRule): Promise<void> {
  if (!example) return;
  const { wrong, right } = example;
  const found = await issuesIn(wrong, 'auto', 'high');
  const others = found.filter(({ ruleId }) => ruleId !== id).map(({ ruleId }) => ruleId);
  const isOffered = found.some((issue) => issue.ruleId === id && offers(example, issue));
  if (others.length > 0) problems.push(`${id}: "${wrong}" is also reported by ${others.join()}.`);
  if (!isOffered) problems.push(`${id}: the rule does not report "${wrong}" or offer "${right}".`);
  const [first] = await issuesIn(right, 'auto', severity === 'style' ? 'high' : 'medium');
  if (first) problems.push(`${id}: ${first.ruleId} reports "${right}".`);
}

/** Returns true if an issue has no replacements or one that makes the wrong text right. */
function offers({ wrong, right }: RuleExample, { start, end, replacements }: Issue): boolean {
  return (
    replacements.length === 0 ||
    replacements.some(({ value }) => wrong.slice(0, start) + value + wrong.slice(end) === right)
  );
}

async function issuesIn(
  content: string,
  language: string,
  suggestionLevel: SuggestionLevel,
): Promise<Issue[]> {
  const request = {
    content,
    format: 'plain' as const,
    settings: { checks: [...CHECKS], language, suggestionLevel },
    rules: { words: [], styleRules: [] },
    dismissed: [],
    kept: null,
  };
  const { result } = await engine.analyze(request, harper);
  return (JSON.parse(result) as AnalysisResult).issues;
}

/** Merges entries with the same id, ordered by id. */
function merged(rules: readonly AnalysisRule[]): AnalysisRule[] {
  const byId = new Map<string, AnalysisRule>();
  for (const rule of rules) {
    const known = byId.get(rule.id);
    byId.set(rule.id, known ? both(known, rule) : rule);
  }
  return [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Our rules come before Harper's. Of our descriptions, the longest one says most. */
function both(known: AnalysisRule, other: AnalysisRule): AnalysisRule {
  const isLonger = other.description.length > known.description.length;
  return {
    ...known,
    languages: [...new Set([...known.languages, ...other.languages])],
    description: isLonger && known.source === other.source ? other.description : known.description,
    example: known.example ?? other.example,
  };
}

/** Returns the list with one rule per line, so that changes are easy to review. */
function listOf(rules: readonly AnalysisRule[]): string {
  return `[\n${rules.map((rule) => JSON.stringify(rule)).join(',\n')}\n]\n`;
}

/** Position of the pages in the navigation: after all guides. */
const ORDER = 80;

function indexOf(rules: readonly AnalysisRule[]): string {
  const rows = RULE_PAGES.map((page) => {
    const listed = rules.filter((rule) => isOn(page, rule));
    const of = page.categories.map((category) => `\`${category}\``).join(', ');
    return `| [${page.title}](${page.file}) | ${of} | ${String(listed.length)} |`;
  });
  return `---
title: Analysis rules
description: Find a rule of the text analysis by its id, with an example and the reason, and switch it off.
order: ${String(ORDER)}
group: Analysis rules
---

# Analysis rules

[Text analysis](analyze-text.md) applies ${String(rules.length)} rules. Each [issue](analyze-text.md#read-an-issue) names its rule in \`ruleId\`. Find rules
by words:

\`\`\`sh
curl -s "$DOCUMENT_SERVICE_URL/v1/analysis-rules?search=fewer" \\
  -H "Authorization: Bearer $DOCUMENT_SERVICE_KEY"
\`\`\`

\`\`\`json
{
  "data": [
    {
      "id": "grammar.less-fewer",
      "category": "grammar",
      "severity": "warning",
      "example": { "wrong": "There are less cars today.", "right": "There are fewer cars today." }
    }
  ]
}
\`\`\`

To switch rules off, see [Switch rules off](house-rules.md#switch-rules-off). In the dashboard, **Settings** → **Rules** lists all rules.

| Page | Categories | Rules |
| --- | --- | --- |
${rows.join('\n')}

[Style rules](house-rules.md) are not listed, because each account has its own.
`;
}

function pageOf(page: RulePage, rules: readonly AnalysisRule[]): string {
  const sections = page.categories.map((category) => {
    const listed = rules.filter((rule) => rule.category === category && isOn(page, rule));
    const title = `${category.charAt(0).toUpperCase()}${category.slice(1)}`;
    const heading = page.categories.length > 1 ? `## ${title}\n\n` : '';
    return `${heading}${listed.map(entryOf).join('\n')}\n`;
  });
  const order = ORDER + 1 + RULE_PAGES.indexOf(page);
  return `---
title: ${page.title}
description: ${page.title} of the text analysis, each with its reason and an example.
order: ${String(order)}
group: Analysis rules
search: title
---

# ${page.title}

To switch a rule off, see [Switch rules off](house-rules.md#switch-rules-off). “Harper” marks rules of [Harper](https://writewithharper.com).
[All rules](analysis-rules.md).

${sections.join('\n')}`;
}

function isOn({ categories, letters }: RulePage, { id, category }: AnalysisRule): boolean {
  return categories.some((one) => one === category) && (letters?.test(id) ?? true);
}

function entryOf({ id, severity, languages, description, example, source }: AnalysisRule): string {
  const notes = [
    severity,
    ...(languages.join() === 'en' ? [] : [languages.join(', ') || 'all languages']),
    ...(source === 'harper' ? ['Harper'] : []),
  ];
  const text = example
    ? ` ${escaped(oneLine(example.wrong))} → ${escaped(oneLine(example.right))}`
    : ' No example.';
  return `- \`${id}\` (${notes.join('; ')}): ${escaped(sentence(description))}${text}`;
}

function sentence(text: string): string {
  return /[.!?…]["”’)]*$/.test(text) ? text : `${text}.`;
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' / ');
}

/** Escapes Markdown and HTML. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');
}

async function write(file: URL, text: string): Promise<void> {
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
    return;
  }
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed === text) return;
  problems.push(
    `${file.pathname.slice(SOURCES.pathname.indexOf('packages/'))} is out of date. Run npm run rules and commit the result.`,
  );
}

const rules = merged([...(await builtInRules()), ...harperRules()]);
// Rules of enhancements report nothing in an analysis.
const enhancing = new Set(ENHANCEMENT_RULES.map(({ ruleId }) => ruleId));
for (const rule of rules) if (!enhancing.has(rule.id)) await checkExample(rule);
await write(LIST, listOf(rules));
const pages = new Map(RULE_PAGES.map((page) => [page.file, pageOf(page, rules)]));
pages.set('analysis-rules.md', indexOf(rules));
for (const [name, text] of pages) {
  const file = new URL(name, PAGES);
  const style = await resolveConfig(file);
  await write(file, await format(text, { ...style, parser: 'markdown' }));
}
for (const { id } of rules.filter((rule) => !RULE_PAGES.some((page) => isOn(page, rule))))
  problems.push(`${id}: no page of RULE_PAGES lists this rule.`);
console.log(`${String(rules.length)} rules.`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
