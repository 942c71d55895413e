import { parse } from 'yaml';
import type { Severity, StyleRule } from '../analysis.js';
import { patternProblem } from './style-pattern.js';
import { MAX_MESSAGE_CHARACTERS, MAX_PHRASE_CHARACTERS, MAX_PHRASES } from './style-rule.js';

/** A file of a Vale style folder. */
export interface ValeFile {
  /** Its path in the folder, such as `Microsoft/Wordiness.yml`. */
  path: string;
  content: string;
}

/** A rule, or a part of one, that has no counterpart here. */
export interface SkippedRule {
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

/** Signs that make a text of Vale a pattern. */
const PATTERN_SIGNS = /[\\^$.|?*+()[\]{}]/;

/**
 * The house rules that stand for the substitution, existence and occurrence rules of a Vale style; what has no counterpart
 * is named with the reason. Format: https://vale.sh/docs/styles
 */
export function rulesOfVale(files: readonly ValeFile[]): {
  rules: StyleRule[];
  skipped: SkippedRule[];
} {
  const rules: StyleRule[] = [];
  const skipped: SkippedRule[] = [];
  const ids = new Set<string>();
  const add = (file: ValeFile, rule: Omitted) => {
    let id = idOf(file.path);
    for (let number = 2; ids.has(id); number += 1)
      id = `${idOf(file.path).slice(0, 75)}-${String(number)}`;
    ids.add(id);
    rules.push({ id, ...rule } as StyleRule);
  };
  for (const file of files) {
    const skip = (reason: string) => skipped.push({ path: file.path, reason });
    if (!/\.ya?ml$/i.test(file.path)) {
      skip('is no rule: rules end with .yml');
      continue;
    }
    let rule: ValeRule | null;
    try {
      rule = parse(file.content, { maxAliasCount: 0 }) as ValeRule | null;
    } catch (error) {
      skip(`is no YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`);
      continue;
    }
    if (typeof rule !== 'object' || rule === null) {
      skip('is no rule');
      continue;
    }
    convert(
      rule,
      (converted) => {
        add(file, converted);
      },
      skip,
    );
  }
  return { rules, skipped };
}

type Omitted = Record<string, unknown> & { kind: StyleRule['kind'] };

function convert(rule: ValeRule, add: (rule: Omitted) => void, skip: (reason: string) => void) {
  const severity = SEVERITY_OF_LEVEL[textOf(rule.level)] ?? 'warning';
  const common = (message: string | null) => ({ severity, message });
  switch (rule.extends) {
    case 'substitution':
      for (const [from, to] of Object.entries((rule.swap ?? {}) as Record<string, unknown>)) {
        const swap = { from, to: textOf(to), isNonword: rule.nonword === true };
        convertSwap(swap, common(messageOf(rule, swap.to)), add, skip);
      }
      return;
    case 'existence':
      convertTokens(rule, common(messageOf(rule)), add, skip);
      return;
    case 'occurrence':
      convertOccurrence(rule, common(messageOf(rule)), add, skip);
      return;
    default:
      skip(`extends ${String(rule.extends)}, which has no counterpart here`);
  }
}

function convertSwap(
  { from, to, isNonword }: { from: string; to: string; isNonword: boolean },
  common: object,
  add: (rule: Omitted) => void,
  skip: (reason: string) => void,
): void {
  // `a|b` offers several: the first one is written.
  const value = to.split('|')[0] ?? to;
  if (!PATTERN_SIGNS.test(from)) {
    if (from.length > MAX_PHRASE_CHARACTERS) skip(`"${from.slice(0, 40)}…" is too long`);
    else add({ kind: 'replacement', ...common, from: [from], to: value });
    return;
  }
  const pattern = wholeWords(from, isNonword);
  const problem = patternProblem(pattern);
  if (problem === undefined) add({ kind: 'pattern', ...common, pattern, replacement: value });
  else skip(`"${from}" ${problem}`);
}

function convertTokens(
  rule: ValeRule,
  common: object,
  add: (rule: Omitted) => void,
  skip: (reason: string) => void,
): void {
  const tokens = listOf(rule.tokens);
  const plain = tokens.filter((token) => !PATTERN_SIGNS.test(token) && rule.nonword !== true);
  for (let index = 0; index < plain.length; index += MAX_PHRASES) {
    add({ kind: 'banned', ...common, phrases: plain.slice(index, index + MAX_PHRASES) });
  }
  const patterns = tokens.filter((token) => !plain.includes(token));
  const raw = listOf(rule.raw);
  if (raw.length > 0) patterns.push(raw.join(''));
  for (const token of patterns) {
    const pattern = wholeWords(token, rule.nonword === true || raw.includes(token));
    const problem = patternProblem(pattern);
    if (problem === undefined) add({ kind: 'pattern', ...common, pattern, replacement: null });
    else skip(`"${token}" ${problem}`);
  }
  if (tokens.length + raw.length === 0) skip('has neither tokens nor raw');
}

function convertOccurrence(
  rule: ValeRule,
  common: object,
  add: (rule: Omitted) => void,
  skip: (reason: string) => void,
): void {
  const pattern = textOf(rule.token);
  const scope = rule.scope === 'sentence' ? 'sentence' : 'paragraph';
  const problem = pattern === '' ? 'has no token' : patternProblem(pattern);
  if (problem !== undefined) skip(problem);
  else if (!Number.isSafeInteger(rule.max))
    skip('has no max; a least number is not looked at here');
  else add({ kind: 'occurrence', ...common, pattern, max: Number(rule.max), scope });
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String).filter((one) => one !== '') : [];
}

/** Vale looks for whole words unless a rule says `nonword`. */
function wholeWords(pattern: string, isNonword: boolean): string {
  return isNonword ? pattern : `\\b(?:${pattern})\\b`;
}

/** `Use '%s' instead of '%s'.` without its gaps, which say what each issue says anyway. */
function messageOf({ message }: ValeRule, to?: string): string | null {
  if (typeof message !== 'string') return null;
  const filled = to === undefined ? message : message.replace('%s', to);
  return filled.includes('%s') ? null : filled.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** `Microsoft/HeadingAcronyms.yml` becomes `microsoft.headingacronyms`. */
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
