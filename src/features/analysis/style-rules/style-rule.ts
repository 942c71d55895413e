import { isObject } from '../../../platform/http/bodies/json-text.js';
import { unknownNameProblems } from '../../../platform/http/envelope/nearest-name.js';
import type { MemberCheck } from '../../../platform/http/envelope/operations.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { SEVERITIES, type StyleRule } from '@document-service/text-analysis/analysis';

export const MAX_RULES = 1_000;
export const MAX_PHRASES = 1_000;
/** Limit for the words and phrases of all rules of a version. */
const MAX_ALL_PHRASES = 50_000;
export const MAX_PHRASE_CHARACTERS = 200;
export const MAX_PATTERN_CHARACTERS = 1_000;
export const MAX_MESSAGE_CHARACTERS = 500;
const ID_FORM = /^[a-z0-9][a-z0-9._-]{0,79}$/;

const isPhrases: MemberCheck = (value) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_PHRASES) {
    return `must be an array of 1 to ${String(MAX_PHRASES)} words or phrases`;
  }
  return value.every((one) => isPhrase(one) === undefined)
    ? undefined
    : `must contain words or phrases of 1 to ${String(MAX_PHRASE_CHARACTERS)} characters`;
};
const isPhrase: MemberCheck = (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_PHRASE_CHARACTERS
    ? undefined
    : `must be a text of 1 to ${String(MAX_PHRASE_CHARACTERS)} characters`;
const isReplacement: MemberCheck = (value) =>
  typeof value === 'string' && value.length <= MAX_PHRASE_CHARACTERS
    ? undefined
    : `must be a text of at most ${String(MAX_PHRASE_CHARACTERS)} characters`;
const isPattern: MemberCheck = (value) =>
  typeof value === 'string' && value !== '' && value.length <= MAX_PATTERN_CHARACTERS
    ? undefined
    : `must be a text of 1 to ${String(MAX_PATTERN_CHARACTERS)} characters`;
const optional =
  (check: MemberCheck): MemberCheck =>
  (value) =>
    value === undefined || value === null ? undefined : check(value);

/** Fields of each kind of rule besides `id`, `kind`, `severity` and `message`. */
const MEMBERS: Readonly<Record<StyleRule['kind'], Readonly<Record<string, MemberCheck>>>> = {
  accepted: { words: isPhrases },
  replacement: { from: isPhrases, to: isReplacement },
  banned: { phrases: isPhrases },
  pattern: { pattern: isPattern, replacement: optional(isReplacement) },
  occurrence: {
    pattern: isPattern,
    max: (value) =>
      Number.isSafeInteger(value) && Number(value) >= 0
        ? undefined
        : 'must be a whole number, 0 or greater',
    scope: (value) =>
      value === 'sentence' || value === 'paragraph' ? undefined : 'must be sentence or paragraph',
  },
};
const RULE_KINDS = Object.keys(MEMBERS) as StyleRule['kind'][];

const COMMON: Readonly<Record<string, MemberCheck>> = {
  id: (value) =>
    typeof value === 'string' && ID_FORM.test(value)
      ? undefined
      : 'must be 1 to 80 characters: a-z, 0-9, dots, hyphens and underscores, starting with a letter or digit',
  severity: optional((value) =>
    SEVERITIES.some((one) => one === value) ? undefined : `must be one of ${SEVERITIES.join(', ')}`,
  ),
  message: optional((value) =>
    typeof value === 'string' && value.length <= MAX_MESSAGE_CHARACTERS
      ? undefined
      : `must be a text of at most ${String(MAX_MESSAGE_CHARACTERS)} characters`,
  ),
};

/** Returns all problems of a list of rules from a client. Does not compile patterns, see `StyleRuleCompiler`. */
export function styleRuleProblems(value: unknown, { max = MAX_RULES } = {}): FieldProblem[] {
  const field = 'rules';
  if (!Array.isArray(value)) return [{ field, issue: 'must be an array' }];
  if (value.length > max) {
    return [{ field, issue: `must not have more than ${String(max)} rules` }];
  }
  const phrases = phrasesIn(value);
  if (phrases > MAX_ALL_PHRASES) {
    const [have, most] = [phrases, MAX_ALL_PHRASES].map((count) => count.toLocaleString('en'));
    return [
      { field, issue: `contain ${have} words and phrases; a version can have at most ${most}` },
    ];
  }
  const ids = new Map<unknown, number>();
  return value.flatMap((rule: unknown, index) => {
    const place = `${field}[${String(index)}]`;
    if (!isObject(rule)) return [{ field: place, issue: 'must be an object with id and kind' }];
    const known = ids.get(rule['id']);
    ids.set(rule['id'], index);
    const repeated =
      known === undefined
        ? []
        : [
            {
              field: `${place}.id`,
              issue: `must be unique; ${field}[${String(known)}] has the same id`,
            },
          ];
    return [...problemsOf(rule, place), ...repeated];
  });
}

function phrasesIn(rules: readonly unknown[]): number {
  const lists = rules.flatMap((rule) =>
    isObject(rule) ? [rule['from'], rule['phrases'], rule['words']] : [],
  );
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

/** Returns the problems of one rule. `place` is the prefix of their fields. */
export function problemsOf(rule: Record<string, unknown>, place: string): FieldProblem[] {
  const kind = RULE_KINDS.find((one) => one === rule['kind']);
  if (!kind) {
    return [{ field: `${place}.kind`, issue: `must be one of ${RULE_KINDS.join(', ')}` }];
  }
  const checks = { ...COMMON, ...MEMBERS[kind] };
  const names = ['kind', ...Object.keys(checks)];
  const wrong = Object.entries(checks).flatMap(([name, check]) => {
    const issue = check(rule[name]);
    return issue === undefined ? [] : [{ field: `${place}.${name}`, issue }];
  });
  const unknown = unknownNameProblems(Object.keys(rule), names, (name) => `${place}.${name}`);
  return [...wrong, ...unknown];
}

/** Adds the default values to valid rules. */
export function completeRules(rules: readonly object[]): StyleRule[] {
  return rules.map((rule) => ({
    severity: 'warning',
    message: null,
    ...('kind' in rule && rule.kind === 'pattern' && { replacement: null }),
    ...rule,
  })) as StyleRule[];
}
