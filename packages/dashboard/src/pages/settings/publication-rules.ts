import type { PublishingSettings } from '../../api/publishing.js';
import { TYPES } from '../documents/document-types.js';

export type PublicationRule = PublishingSettings['rules'][number];

export const MAX_RULES = 20;

/** The checks of a rule: name, label, and the largest number that the service accepts. */
export const CHECKS = [
  ['errors', 'Maximum number of errors', 10_000],
  ['minScore', 'Minimum overall score', 100],
  ['openSuggestions', 'Maximum number of open suggestions', 10_000],
] as const;

export const NEW_RULE: PublicationRule = {
  types: null,
  checks: { errors: 0, minScore: null, openSuggestions: null },
  override: 'nobody',
};

/** Returns the number in a field, at most `max`. Null: not checked. */
export function numberIn(typed: string, max: number): number | null {
  const digits = typed.replaceAll(/\D/g, '');
  return digits === '' ? null : Math.min(Number(digits), max);
}

/** Moves a rule up (-1) or down (1). */
export function withMoved<Rule>(rules: readonly Rule[], index: number, by: -1 | 1): Rule[] {
  return rules.toSpliced(index, 1).toSpliced(index + by, 0, ...rules.slice(index, index + 1));
}

/** Returns true if the rules before it apply to all its types, so that it has no effect. */
export function isCovered(rules: readonly PublicationRule[], index: number): boolean {
  const typesOf = ({ types }: PublicationRule) => types ?? TYPES.map(([type]) => type);
  const before = new Set(rules.slice(0, index).flatMap(typesOf));
  return rules
    .slice(index, index + 1)
    .every((rule) => typesOf(rule).every((one) => before.has(one)));
}
