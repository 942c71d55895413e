import { pairsIn, readSections, wordsIn } from '../data-file.js';

const DATA = readSections(import.meta.url, 'rule-confidence.txt');

/** Confidence of rules with too few measured findings. Together they were right in 191 of 277 cases. */
const DEFAULT = 0.69;
/** Only rules listed as safe reach 0.9, from which changes can be applied without review. */
const MAXIMUM = 0.89;
const SAFE = 0.92;
/** Confidence of all replacements except the first. */
const ALTERNATIVE = 0.4;

const CONFIDENCES = new Map<string, number>([
  ...pairsIn(DATA, 'measured').map(([ruleId, counts]) => [ruleId, measured(counts)] as const),
  ...pairsIn(DATA, 'estimated').map(([ruleId, value]) => [ruleId, Number(value)] as const),
  ...wordsIn(DATA, 'safe').map((ruleId) => [ruleId, SAFE] as const),
]);

/** Ids of the rules that rule-confidence.txt lists. */
export const RULES_WITH_CONFIDENCE: readonly string[] = [...CONFIDENCES.keys()];

function measured(counts: string): number {
  const [right = 0, flags = 0] = counts.split('/').map(Number);
  return Math.min(MAXIMUM, Math.round((100 * (right + 1)) / (flags + 2)) / 100);
}

/** Returns the estimated chance that the first replacement of a rule is right. */
export function confidenceOf(ruleId: string): number {
  return CONFIDENCES.get(ruleId) ?? DEFAULT;
}

/** Returns replacements with the confidence of the rule for the first one. */
export function withConfidence(ruleId: string, values: readonly string[]) {
  return values.map((value, index) => ({
    value,
    confidence: index === 0 ? confidenceOf(ruleId) : Math.min(ALTERNATIVE, confidenceOf(ruleId)),
  }));
}
