import { SCOPES } from '../auth/scopes.js';
import { nearestName } from '../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { isNetwork } from '../../platform/network/ip-networks.js';

/** Grace period in seconds: how long a rotated key remains valid alongside its successor. */
export const DEFAULT_GRACE_SECONDS = 86_400;
export const MAX_GRACE_SECONDS = 604_800;

/** Maximum number of scopes in one request. More would be repetitions. */
export const MAX_SCOPES = 50;

/** Returns the problems of the items of `scopes`, with the nearest known scope for each unknown one. Ignores non-arrays. */
export function scopeProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length > MAX_SCOPES) return [];
  return value.flatMap((item: unknown, index) => {
    const issue = scopeIssue(item);
    return issue === undefined ? [] : [{ field: `scopes[${String(index)}]`, issue }];
  });
}

function scopeIssue(item: unknown): string | undefined {
  if (typeof item !== 'string') return 'must be a string';
  if (SCOPES.some((scope) => scope === item)) return undefined;
  const nearest = nearestName(item, SCOPES);
  const hint = nearest ? `did you mean '${nearest}'?` : `known scopes are ${SCOPES.join(', ')}`;
  return `is not a scope; ${hint}`;
}

/** Maximum number of collections that a key, a token or an app can be limited to. */
export const MAX_KEY_COLLECTIONS = 20;

/** Maximum number of entries in one allow-list. */
export const MAX_RANGES = 100;

/** Returns the problems of the items of `allowedIps`. Ignores non-arrays. */
export function rangeProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length > MAX_RANGES) return [];
  return value.flatMap((item: unknown, index) =>
    typeof item === 'string' && isNetwork(item)
      ? []
      : [
          {
            field: `allowedIps[${String(index)}]`,
            issue:
              'is not an address or CIDR range; write it like 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32',
          },
        ],
  );
}
