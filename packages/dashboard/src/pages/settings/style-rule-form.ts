import type { StyleRule } from './style-rules.js';

export type RuleKind = StyleRule['kind'];

/** A rule that is being edited. Lists may have blank lines, and `max` is null while its field is empty. */
export type EditedRule = Record<string, unknown> & {
  id: string;
  kind: RuleKind;
  severity: StyleRule['severity'];
  message: string | null;
};

/** Labels of the kinds, in the order of the menu. */
const KIND_NAMES: Readonly<Record<RuleKind, string>> = {
  replacement: 'Replace words',
  banned: 'Avoid words',
  pattern: 'Find a pattern',
  occurrence: 'Limit a pattern',
  accepted: 'Accept words',
};

export const KIND_OPTIONS = Object.entries(KIND_NAMES).map(([value, label]) => ({ value, label }));

/** The list of words or phrases of a kind, if it has one. */
export const LIST_OF = {
  replacement: 'from',
  banned: 'phrases',
  accepted: 'words',
} as const satisfies Partial<Record<RuleKind, string>>;

/** An empty rule of each kind. */
export const RULE_EXAMPLES: Readonly<Record<RuleKind, StyleRule>> = {
  replacement: {
    id: 'plain-words',
    kind: 'replacement',
    severity: 'warning',
    message: null,
    from: ['utilize', 'utilise'],
    to: 'use',
  },
  banned: {
    id: 'no-empty-words',
    kind: 'banned',
    severity: 'style',
    message: 'Say what it does instead.',
    phrases: ['best in class', 'cutting edge'],
  },
  pattern: {
    id: 'one-space',
    kind: 'pattern',
    severity: 'style',
    message: 'One space is enough.',
    pattern: '  +',
    replacement: ' ',
  },
  occurrence: {
    id: 'few-commas',
    kind: 'occurrence',
    severity: 'style',
    message: 'Split this into two sentences.',
    pattern: ',',
    max: 3,
    scope: 'sentence',
  },
  accepted: {
    id: 'our-names',
    kind: 'accepted',
    severity: 'warning',
    message: null,
    words: ['Acme Cloud'],
  },
};

/** Sample texts for the example rules whose words are no sentence. */
const SAMPLES: Partial<Record<string, string>> = {
  'one-space': 'Two  spaces are too many.',
  'few-commas': 'One, two, three, four, and five are more than three commas.',
};

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText);
const isOneOf = (values: readonly string[]) => (value: unknown) =>
  isText(value) && values.includes(value);

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

/** Possible values of the form's fields. The API checks them. */
const COMMON: Shape = {
  id: isText,
  severity: isOneOf(['error', 'warning', 'style']),
  message: isTextOrNull,
};
const SHAPES: Readonly<Record<RuleKind, Shape>> = {
  replacement: { ...COMMON, from: isTextList, to: isText },
  banned: { ...COMMON, phrases: isTextList },
  accepted: { ...COMMON, words: isTextList },
  pattern: { ...COMMON, pattern: isText, replacement: isTextOrNull },
  occurrence: {
    ...COMMON,
    pattern: isText,
    max: (value) => value === null || typeof value === 'number',
    scope: isOneOf(['sentence', 'paragraph']),
  },
};

/** The fields of a kind, without `kind` itself. */
export function fieldsOf(kind: RuleKind): readonly string[] {
  return Object.keys(SHAPES[kind]);
}

/** The rules in a JSON text, or why they cannot be shown. */
interface ParsedRules {
  /** Undefined if the text is no JSON array. */
  all?: readonly unknown[];
  /** The rules for the form. Undefined if a field of the form cannot hold the value of a rule. */
  rules?: readonly EditedRule[];
  problem?: string;
}

export function parseRules(text: string): ParsedRules {
  let all: unknown;
  try {
    all = JSON.parse(text);
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : ''}` };
  }
  if (!Array.isArray(all)) return { problem: 'Enter a JSON array: [ … ]' };
  const rules: EditedRule[] = [];
  for (const [index, value] of all.entries()) {
    const rule = asEdited(value);
    if (typeof rule === 'string') {
      const place = `The form can't show rule ${String(index + 1)}`;
      return { all, problem: `${place}: check ${rule}.` };
    }
    rules.push(rule);
  }
  return { all, rules };
}

/** Returns the rule with all optional fields, or the name of a field that the form cannot show. */
function asEdited(value: unknown): EditedRule | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'its braces';
  const { kind } = value as { kind?: unknown };
  if (!isText(kind) || !Object.hasOwn(SHAPES, kind)) return 'its kind';
  const defaults = {
    severity: 'warning',
    message: null,
    ...(kind === 'pattern' && { replacement: null }),
  };
  const rule = { ...defaults, ...value } as EditedRule;
  const shape = SHAPES[kind as RuleKind];
  return Object.keys(shape).find((name) => shape[name]?.(rule[name]) !== true) ?? rule;
}

export function writeRules(rules: readonly unknown[]): string {
  return JSON.stringify(rules, null, 2);
}

/** Returns the rule as it is sent, without the blank lines of its list. */
export function withoutBlankLines<Rule>(rule: Rule): Rule {
  if (typeof rule !== 'object' || rule === null) return rule;
  const fields = rule as Record<string, unknown>;
  const list: string = LIST_OF[fields['kind'] as keyof typeof LIST_OF];
  const values = fields[list];
  if (!isTextList(values)) return rule;
  return { ...rule, [list]: values.filter((line) => line.trim() !== '') };
}

/** Characters allowed in an ID. */
const LONGEST_ID = 80;

/** Returns a copy of the rule with an ID that no other rule has. */
export function withFreeId<Rule extends { id: string }>(
  rule: Rule,
  others: readonly { id: string }[],
): Rule {
  const taken = new Set(others.map(({ id }) => id));
  const base = rule.id.replace(/-\d+$/, '');
  let { id } = rule;
  for (let number = 2; taken.has(id); number += 1) {
    const end = `-${String(number)}`;
    id = base.slice(0, LONGEST_ID - end.length) + end;
  }
  return { ...rule, id };
}

/** Returns the rule as another kind. Keeps its words or its pattern if both kinds have them. */
export function withKind(rule: EditedRule, kind: RuleKind): EditedRule {
  const { id, severity, message } = rule;
  const from = LIST_OF[rule.kind as keyof typeof LIST_OF] as string | undefined;
  const to = LIST_OF[kind as keyof typeof LIST_OF] as string | undefined;
  const empty: Record<string, unknown> = {
    replacement: { from: [], to: '' },
    banned: { phrases: [] },
    accepted: { words: [] },
    pattern: { pattern: '', replacement: null },
    occurrence: { pattern: '', max: 1, scope: 'sentence' },
  }[kind];
  return {
    id,
    kind,
    severity,
    message,
    ...empty,
    ...(from !== undefined && to !== undefined && { [to]: rule[from] }),
    ...('pattern' in empty && isText(rule['pattern']) && { pattern: rule['pattern'] }),
  };
}

/** Returns a text in which the rule finds something, if its words or its ID suggest one. */
export function sampleFor(rule: EditedRule): string {
  if (rule.kind === 'replacement' || rule.kind === 'banned') {
    const words = rule[LIST_OF[rule.kind]] as readonly string[];
    const some = words.filter((word) => word.trim() !== '').slice(0, 5);
    return some.length === 0 ? '' : `Example: ${some.join(', ')}.`;
  }
  return SAMPLES[rule.id] ?? '';
}
