import type { PublishingSettings } from '../../api/publishing.js';
import { TYPES, type DocumentType } from '../documents/document-types.js';

export type PublicationRule = PublishingSettings['rules'][number];
type CheckName = keyof PublicationRule['checks'];

export const MAX_RULES = 20;

/** The checks of a rule: name, label, and the largest number that the service accepts. */
export const CHECKS: readonly (readonly [CheckName, string, number])[] = [
  ['errors', 'Maximum number of errors', 10_000],
  ['minScore', 'Minimum overall score', 100],
  ['openSuggestions', 'Maximum number of open suggestions', 10_000],
];

/** A rule while it is edited. */
export interface EditedPublicationRule {
  /** Stays the same while rules are added, moved and removed. */
  key: number;
  /** Empty: all types. */
  types: readonly DocumentType[];
  /** What is typed. Empty: not checked. */
  checks: Readonly<Record<CheckName, string>>;
  override: PublicationRule['override'];
}

export function editedRules(rules: readonly PublicationRule[]): EditedPublicationRule[] {
  return rules.map(({ types, checks, override }, key) => {
    const typed = CHECKS.map(([name]) => [name, checks[name]?.toFixed(0) ?? '']);
    return { key, types: types ?? [], checks: Object.fromEntries(typed) as never, override };
  });
}

/** Returns the rules to send. */
export function rulesOf(edited: readonly EditedPublicationRule[]): PublicationRule[] {
  return edited.map(({ types, checks, override }) => {
    const inOrder = TYPES.map(([type]) => type).filter((type) => types.includes(type));
    const numbers = CHECKS.map(([name]) => {
      const typed = checks[name].trim();
      return [name, typed === '' ? null : Number(typed)];
    });
    return {
      types: inOrder.length === 0 ? null : inOrder,
      checks: Object.fromEntries(numbers) as PublicationRule['checks'],
      override,
    };
  });
}

/** Returns what is wrong with the number of a check. */
export function checkProblem(typed: string, max: number): string | undefined {
  const text = typed.trim();
  const isValid = text === '' || (/^\d+$/.test(text) && Number(text) <= max);
  return isValid ? undefined : `Enter a number from 0 to ${max.toFixed(0)}.`;
}

/** Adds a rule that refuses all errors. */
export function withNewRule(rules: readonly EditedPublicationRule[]): EditedPublicationRule[] {
  const key = Math.max(-1, ...rules.map((rule) => rule.key)) + 1;
  const checks = { errors: '0', minScore: '', openSuggestions: '' };
  return [...rules, { key, types: [], checks, override: 'nobody' }];
}

/** Moves a rule up (-1) or down (1). */
export function withMoved<Rule>(rules: readonly Rule[], index: number, by: -1 | 1): Rule[] {
  return rules.toSpliced(index, 1).toSpliced(index + by, 0, ...rules.slice(index, index + 1));
}

/** Returns true if the rules before it apply to all its types, so that it has no effect. */
export function isCovered(rules: readonly EditedPublicationRule[], index: number): boolean {
  const all = TYPES.map(([type]) => type);
  const typesOf = ({ types }: EditedPublicationRule) => (types.length === 0 ? all : types);
  const before = new Set(rules.slice(0, index).flatMap(typesOf));
  const rule = rules[index];
  return rule !== undefined && typesOf(rule).every((type) => before.has(type));
}
