import { parse } from 'yaml';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { nestsTooDeeply } from '@document-service/conversion/markdown/yaml-depth';
import type { Severity, StyleRule } from '@document-service/text-analysis/analysis';
import { patternCheck } from './check-patterns.js';
import {
  MAX_MESSAGE_CHARACTERS,
  MAX_PHRASE_CHARACTERS,
  MAX_PHRASES,
  MAX_RULES,
  problemsOf,
} from './style-rule.js';

/** A file in a Vale style folder. */
export interface ValeFile {
  /** Path in the folder, such as `Microsoft/Wordiness.yml`. */
  path: string;
  content: string;
}

/** A Vale rule, or a part of one, that cannot be converted. */
interface SkippedRule {
  path: string;
  reason: string;
}

interface ValeRule {
  extends?: unknown;
  message?: unknown;
  level?: unknown;
  nonword?: unknown;
  swap?: unknown;
  tokens?: unknown;
  raw?: unknown;
  token?: unknown;
  max?: unknown;
  scope?: unknown;
}

const SEVERITY_OF_LEVEL: Readonly<Record<string, Severity>> = {
  error: 'error',
  warning: 'warning',
  suggestion: 'style',
};

/** Characters that make a Vale token a regular expression. */
const PATTERN_SIGNS = /[\\^$.|?*+()[\]{}]/;

/** Maximum skipped rules in the result. Others are only counted. */
const MAX_SKIPPED = 1_000;
const MAX_QUOTED_CHARACTERS = 40;

/** The result of converting a Vale style. */
export interface ValeImport {
  rules: StyleRule[];
  skipped: SkippedRule[];
}

type Converted = Record<string, unknown> & { kind: StyleRule['kind'] };

/** A rule before its pattern is compiled. */
interface Candidate {
  path: string;
  /** Name of the rule in the list of skipped rules. */
  name: string;
  rule: Converted;
}

/** Collects converted and skipped rules. Rules beyond the limits are only counted. */
class Conversion {
  readonly candidates: Candidate[] = [];
  readonly skipped: SkippedRule[] = [];
  candidateCount = 0;
  skippedCount = 0;

  add(path: string, name: string, rule: Converted): void {
    this.candidateCount += 1;
    if (this.candidateCount <= MAX_RULES) this.candidates.push({ path, name, rule });
  }

  skip(path: string, reason: string): void {
    this.skippedCount += 1;
    if (this.skippedCount <= MAX_SKIPPED) this.skipped.push({ path, reason });
  }
}

/**
 * Converts the substitution, existence and occurrence rules of a Vale style, and lists the skipped rules with a reason.
 * Throws `bad_request` for too many rules before it compiles a pattern, and the errors of {@link patternCheck}. Slow, so
 * call it in a thread. Format: https://vale.sh/docs/styles
 */
export function rulesOfVale(files: readonly ValeFile[]): ValeImport {
  const conversion = new Conversion();
  for (const file of files) convertFile(file, conversion);
  if (conversion.candidateCount > MAX_RULES) throw tooManyRules(conversion.candidateCount);
  const rules = compiledRules(conversion);
  const { skipped, skippedCount } = conversion;
  if (skippedCount > MAX_SKIPPED) {
    const more = (skippedCount - MAX_SKIPPED).toLocaleString('en');
    skipped.push({ path: '', reason: `${more} more rules were skipped` });
  }
  return { rules, skipped };
}

/** Returns the candidates that are valid style rules, with ids. Skips the others. */
function compiledRules(conversion: Conversion): StyleRule[] {
  const check = patternCheck();
  const ids = new Set<string>();
  return conversion.candidates.flatMap(({ path, name, rule }, index) => {
    let id = idOf(path);
    for (let number = 2; ids.has(id); number += 1)
      id = `${idOf(path).slice(0, 75)}-${String(number)}`;
    const named = { id, ...rule };
    const [problem] = problemsOf(named, '');
    const issue = problem?.issue ?? check(named as unknown as StyleRule, index);
    if (issue === undefined) {
      ids.add(id);
      return [named as unknown as StyleRule];
    }
    conversion.skip(path, `${quoted(name)} ${issue}`);
    return [];
  });
}

function convertFile({ path, content }: ValeFile, conversion: Conversion): void {
  const skip = (reason: string) => {
    conversion.skip(path, reason);
  };
  if (!/\.ya?ml$/i.test(path)) {
    skip('is not a rule file: file names must end with .yml or .yaml');
    return;
  }
  if (nestsTooDeeply(content)) {
    skip('is nested too deeply');
    return;
  }
  let rule: ValeRule | null;
  try {
    rule = parse(content, { maxAliasCount: 0 }) as ValeRule | null;
  } catch (error) {
    skip(
      `is not valid YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
    );
    return;
  }
  if (typeof rule !== 'object' || rule === null) {
    skip('is not a rule: the file must contain a YAML mapping');
    return;
  }
  const add = (name: string, converted: Converted) => {
    conversion.add(path, name, converted);
  };
  convert(rule, add, skip);
}

function tooManyRules(count: number): AppError {
  const issue = `This import contains ${count.toLocaleString('en')} rules. A version can have at most ${MAX_RULES.toLocaleString('en')}.`;
  const problem = { field: 'files', issue };
  return new AppError('bad_request', issue, { ...problem, problems: [problem] });
}

function quoted(text: string): string {
  const isLong = text.length > MAX_QUOTED_CHARACTERS;
  return `"${text.slice(0, MAX_QUOTED_CHARACTERS).toWellFormed()}${isLong ? '…' : ''}"`;
}

type Add = (name: string, rule: Converted) => void;
type Skip = (reason: string) => void;

function convert(rule: ValeRule, add: Add, skip: Skip) {
  const severity = SEVERITY_OF_LEVEL[textOf(rule.level)] ?? 'warning';
  const common = (message: string | null) => ({ severity, message });
  switch (rule.extends) {
    case 'substitution':
      for (const [from, to] of Object.entries((rule.swap ?? {}) as Record<string, unknown>)) {
        const swap = { from, to: textOf(to), isNonword: rule.nonword === true };
        convertSwap(swap, common(messageOf(rule, swap.to)), add);
      }
      return;
    case 'existence':
      convertTokens(rule, common(messageOf(rule)), add, skip);
      return;
    case 'occurrence':
      convertOccurrence(rule, common(messageOf(rule)), add, skip);
      return;
    default:
      skip(`extends ${quoted(String(rule.extends))}, which is not supported`);
  }
}

function convertSwap(
  { from, to, isNonword }: { from: string; to: string; isNonword: boolean },
  common: object,
  add: Add,
): void {
  // `a|b` offers several replacements; use the first.
  const value = to.split('|')[0] ?? to;
  if (PATTERN_SIGNS.test(from)) {
    add(from, {
      kind: 'pattern',
      ...common,
      pattern: wholeWords(from, isNonword),
      replacement: value,
    });
  } else add(from, { kind: 'replacement', ...common, from: [from], to: value });
}

function convertTokens(rule: ValeRule, common: object, add: Add, skip: Skip): void {
  const tokens = listOf(rule.tokens);
  const raw = listOf(rule.raw);
  if (tokens.length + raw.length === 0) skip('has neither tokens nor raw');
  const isPlain = (token: string) => !PATTERN_SIGNS.test(token) && rule.nonword !== true;
  const phrases = tokens.filter(isPlain).filter((token) => {
    if (token.length <= MAX_PHRASE_CHARACTERS) return true;
    skip(`${quoted(token)} is longer than ${String(MAX_PHRASE_CHARACTERS)} characters`);
    return false;
  });
  for (let index = 0; index < phrases.length; index += MAX_PHRASES) {
    const some = phrases.slice(index, index + MAX_PHRASES);
    add(some[0] ?? '', { kind: 'banned', ...common, phrases: some });
  }
  const patterns = tokens
    .filter((token) => !isPlain(token))
    .map((token) => ({ token, isNonword: rule.nonword === true }));
  // The parts of `raw` form one pattern, which contains its own word boundaries.
  if (raw.length > 0) patterns.push({ token: raw.join(''), isNonword: true });
  for (const { token, isNonword } of patterns) {
    const pattern = wholeWords(token, isNonword);
    add(token, { kind: 'pattern', ...common, pattern, replacement: null });
  }
}

function convertOccurrence(rule: ValeRule, common: object, add: Add, skip: Skip): void {
  const pattern = textOf(rule.token);
  const scope = rule.scope === 'sentence' ? 'sentence' : 'paragraph';
  if (pattern === '') skip('has no token');
  else if (!Number.isSafeInteger(rule.max))
    skip('has no max; a minimum number of occurrences is not supported');
  else add(pattern, { kind: 'occurrence', ...common, pattern, max: Number(rule.max), scope });
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String).filter((one) => one !== '') : [];
}

/** Adds word boundaries, because Vale matches whole words unless a rule sets `nonword`. */
function wholeWords(pattern: string, isNonword: boolean): string {
  return isNonword ? pattern : `\\b(?:${pattern})\\b`;
}

/** Fills the replacement into messages such as `Use '%s' instead of '%s'.`; returns null if a placeholder remains. */
function messageOf({ message }: ValeRule, to?: string): string | null {
  if (typeof message !== 'string') return null;
  const filled = to === undefined ? message : message.replace('%s', to);
  return filled.includes('%s') ? null : filled.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** Converts a path to a rule id: `Microsoft/HeadingAcronyms.yml` becomes `microsoft.headingacronyms`. */
function idOf(path: string): string {
  const id = path
    .replace(/\.ya?ml$/i, '')
    .toLowerCase()
    .split('/')
    .slice(-2)
    .join('.')
    .replace(/[^a-z0-9._-]/g, '-')
    .replace(/^[^a-z0-9]+/, '');
  return id === '' ? 'rule' : id.slice(0, 80);
}
