import { SCOPES } from '../../access/auth/scopes.js';
import { Field, type FieldOptions } from '../../../platform/openapi/field.js';
import { MAX_RANGES, MAX_SCOPES, rangeProblems, scopeProblems } from '../key-fields.js';

const RANGE = { type: 'string', maxLength: 49, pattern: '^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$' };

export const NameField = (options: FieldOptions) =>
  Field.text({ max: 100, notBlank: true, ...options });

export const ScopesField = (options: FieldOptions) =>
  Field.list(SCOPES, {
    min: 1,
    max: MAX_SCOPES,
    check: (scopes) => {
      if (!Array.isArray(scopes)) return 'must be an array of scopes, such as ["documents:read"]';
      if (scopes.length === 0) return 'must name at least one scope';
      return scopes.length > MAX_SCOPES
        ? `must not have more than ${String(MAX_SCOPES)} items`
        : scopeProblems(scopes);
    },
    ...options,
  });

export const ExpiryField = (description: string) =>
  Field.time({
    optional: true,
    nullable: true,
    max: 35,
    description,
    example: '2027-01-31T00:00:00Z',
  });

/** Addresses and CIDR ranges. An empty list allows every address. */
export const RangesField = (options: FieldOptions) =>
  Field.list(RANGE, {
    max: MAX_RANGES,
    check: (ranges) => {
      if (!Array.isArray(ranges)) {
        return 'must be an array of addresses and CIDR ranges, such as ["192.0.2.0/24"]';
      }
      return ranges.length > MAX_RANGES
        ? `must not have more than ${String(MAX_RANGES)} items`
        : rangeProblems(ranges);
    },
    ...options,
  });
