import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import type { StyleRulesDto } from './style-rules.dto.js';
import type { StyleRuleSet } from './style-rules.service.js';

/** Returns a version as JSON text of a `StyleRulesDto`. Its rules are JSON text already, which is not parsed again. */
export function presentStyleRules({ version, isActive, rules, createdAt }: StyleRuleSet): string {
  const head = { version, isActive } satisfies Partial<StyleRulesDto>;
  const tail = { createdAt: createdAt.toISOString() } satisfies Partial<StyleRulesDto>;
  return `${JSON.stringify(head).slice(0, -1)},"rules":${rules},${JSON.stringify(tail).slice(1)}`;
}

/** Returns the items of a page as JSON text. */
export function presentListedRules(sets: readonly StyleRuleSet[]): string {
  return `[${sets.map(presentStyleRules).join(',')}]`;
}

/** Returns the response to a request that created a version. `skipped` is JSON text of the rules an import skipped. */
export function createdRulesResponse(set: StyleRuleSet, skipped?: string): ApiResponse {
  const created = presentStyleRules(set);
  const json = skipped === undefined ? created : `${created.slice(0, -1)},"skipped":${skipped}}`;
  return new ApiResponse(json, { location: `/v1/style-rules/${String(set.version)}` });
}
