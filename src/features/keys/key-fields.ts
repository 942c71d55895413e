import { SCOPES } from '../access/auth/scopes.js';
import { nearestName } from '../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { isNetwork } from '../../platform/network/ip-networks.js';

/** How long a rotated key stays valid beside its successor, in seconds. */
export const DEFAULT_GRACE_SECONDS = 86_400;
export const MAX_GRACE_SECONDS = 604_800;

/** Most scopes in one request; more are repetitions. */
export const MAX_SCOPES = 50;

/** What is wrong with the items of `scopes`: each unknown one with the nearest known name. Other shapes are not judged. */
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

/** Most entries of one allow-list. */
export const MAX_RANGES = 100;

/** What is wrong with the items of `allowedIps`. Other shapes are not judged. */
export function rangeProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length > MAX_RANGES) return [];
  return value.flatMap((item: unknown, index) =>
    typeof item === 'string' && isNetwork(item)
      ? []
      : [
          {
            field: `allowedIps[${String(index)}]`,
            issue:
              'is neither an address nor a CIDR range; write it like 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32',
          },
        ],
  );
}
