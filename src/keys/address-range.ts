import type { FieldProblem } from '../errors/app-error.js';
import { isNetwork } from '../network/ip-networks.js';

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
