import { SCOPES, type Scope } from '../../access/auth/scopes.js';
import { Field, type FieldOptions, AcceptsFields } from '../../../platform/openapi/field.js';
import {
  MAX_RANGES,
  MAX_SCOPES,
  rangeProblems,
  scopeProblems,
  DEFAULT_GRACE_SECONDS,
  MAX_GRACE_SECONDS,
} from '../key-fields.js';

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

/** The body of `POST /v1/keys`. */
export class CreateKeyDto {
  @NameField({ example: 'Build server' }) name: string;

  @ScopesField({
    description:
      'What the key may do; only what the key that makes it may do itself. `*` is everything.',
    example: ['documents:read', 'documents:write'],
  })
  scopes: Scope[];

  @ExpiryField(
    'When the key stops working; at the latest when the key that makes it does. Omitted or null: never, which only a key without an end can give.',
  )
  expiresAt?: string | null;

  @RangesField({
    optional: true,
    ignoresNull: true,
    description:
      'Addresses and CIDR ranges the key may be used from, all within those of the key that makes it. Omitted or empty: all, which only a key for all addresses can give.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  allowedIps?: string[] | null;
}

/** The body of `PATCH /v1/keys/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(['id', 'lastFour', 'revokedAt', 'lastUsedAt', 'createdAt', 'createdBy'])
export class PatchKeyDto {
  @NameField({ optional: true, example: 'Build server, Berlin' }) name?: string;

  @ScopesField({
    optional: true,
    description: 'In place of those before, all of which the key has: a key gets no further ones.',
    example: ['documents:read'],
  })
  scopes?: Scope[];

  @ExpiryField(
    'When the key stops working, earlier or later than before; at the latest when the key that asks does. Null: never, which only a key without an end can give.',
  )
  expiresAt?: string | null;

  @RangesField({
    optional: true,
    nullable: true,
    description:
      'In place of those before, all within those of the key that asks. Empty or null: all addresses, which only a key for all addresses can give.',
    example: ['192.0.2.0/24'],
  })
  allowedIps?: string[] | null;
}

/** The body of `POST /v1/keys/{id}/rotate`. */
export class RotateKeyDto {
  @Field.integer({
    optional: true,
    max: MAX_GRACE_SECONDS,
    default: DEFAULT_GRACE_SECONDS,
    description:
      'How long the old key stays valid beside the new one, in seconds; 0 revokes it at once.',
    example: 3600,
    issue: `must be a whole number of seconds from 0 to ${String(MAX_GRACE_SECONDS)}`,
  })
  gracePeriodSeconds?: number;
}

type Examples<Body> = Readonly<Record<string, { summary: string; value: Body }>>;

/** Bodies of `POST /v1/keys` that the API document shows. */
export const CREATE_KEY_EXAMPLES: Examples<CreateKeyDto> = {
  forever: {
    summary: 'A key that never expires',
    value: { name: 'Build server', scopes: ['documents:read', 'documents:write'] },
  },
  restricted: {
    summary: 'A key with an end, for some addresses only',
    value: {
      name: 'Auditor',
      scopes: ['documents:read'],
      expiresAt: '2027-01-31T00:00:00Z',
      allowedIps: ['192.0.2.0/24', '2001:db8::/32'],
    },
  },
};

/** Bodies of `POST /v1/keys/{id}/rotate`. */
export const ROTATE_KEY_EXAMPLES: Examples<RotateKeyDto> = {
  dayOfGrace: { summary: 'The old key works for another day', value: {} },
  hourOfGrace: { summary: 'For another hour', value: { gracePeriodSeconds: 3600 } },
  atOnce: { summary: 'The old key leaked: end it now', value: { gracePeriodSeconds: 0 } },
};
