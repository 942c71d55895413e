import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import type { StyleRulesDto } from './style-rules.dto.js';
import type { ListedStyleRules, StyleRuleSet } from './style-rules.service.js';
import type { SkippedRule } from './vale-import.js';

export function presentStyleRules({ version, isActive, rules, createdAt }: StyleRuleSet) {
  const at = createdAt.toISOString();
  return { version, isActive, rules, createdAt: at } satisfies StyleRulesDto;
}

/** Returns the items of a page as JSON. */
export function presentListedRules(sets: readonly ListedStyleRules[]): string {
  const items = sets.map(({ version, isActive, rules, createdAt }) => {
    const at = JSON.stringify(createdAt.toISOString());
    return `{"version":${String(version)},"isActive":${String(isActive)},"rules":${rules},"createdAt":${at}}`;
  });
  return `[${items.join(',')}]`;
}

/** Returns the response to a request that created a version, with the rules that an import skipped. */
export function createdRulesResponse(
  set: StyleRuleSet,
  skipped?: readonly SkippedRule[],
): ApiResponse {
  const body = { ...presentStyleRules(set), ...(skipped && { skipped }) };
  const location = `/v1/style-rules/${String(set.version)}`;
  return new ApiResponse(JSON.stringify(body), { location });
}
