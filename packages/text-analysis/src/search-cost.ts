import type { StyleRule } from './analysis.js';

/** Cost at which searching 8,000 characters takes a few tenths of a second. */
export const MAX_SHORT_SEARCH_COST = 10_000;

/**
 * Estimates the number of instructions that rules compile to, from their length and counted repetitions. Has the right
 * order of magnitude and is cheap enough for the event loop.
 */
export function searchCost(rules: readonly StyleRule[]): number {
  let cost = 0;
  for (const rule of rules) {
    if (rule.kind === 'replacement') cost += charactersOf(rule.from);
    else if (rule.kind === 'banned') cost += charactersOf(rule.phrases);
    else if (rule.kind !== 'accepted') cost += rule.pattern.length * repetitionsIn(rule.pattern);
  }
  return cost;
}

function charactersOf(phrases: readonly string[]): number {
  return phrases.reduce((sum, phrase) => sum + phrase.length, 0);
}

/** Returns the product of all counts in braces, at most 1,000 as in RE2. */
function repetitionsIn(pattern: string): number {
  let product = 1;
  for (const [, least = '1', most] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) {
    product = Math.min(1_000, product * Math.max(1, Number(least), Number(most ?? 0)));
  }
  return product;
}
