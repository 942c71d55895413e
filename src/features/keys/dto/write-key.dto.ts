import { idSchema, sampleId } from '../../../platform/openapi/schemas.js';
import { LIMITABLE_SCOPES, SCOPES, type Scope } from '../../auth/scopes.js';
import { Field, type FieldOptions, AcceptsFields } from '../../../platform/openapi/field.js';
import {
  MAX_KEY_COLLECTIONS,
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
      if (scopes.length === 0) return 'must contain at least one scope';
      return scopes.length > MAX_SCOPES
        ? `must not have more than ${String(MAX_SCOPES)} items`
        : scopeProblems(scopes);
    },
    ...options,
  });

const ExpiryField = (description: string) =>
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

/** The collections that a key, a token or an app is limited to. Whether the caller can see them is checked later. */
export const CollectionsField = (options: FieldOptions & { min?: number }) =>
  Field.list(idSchema('collection'), {
    min: 1,
    max: MAX_KEY_COLLECTIONS,
    nullable: true,
    example: [sampleId('collection')],
    check: (ids) =>
      Array.isArray(ids) &&
      ids.length > 0 &&
      ids.length <= MAX_KEY_COLLECTIONS &&
      ids.every((id) => typeof id === 'string')
        ? undefined
        : `must be an array of 1 to ${String(MAX_KEY_COLLECTIONS)} IDs such as col_…; send null for no limit`,
    ...options,
  });

const ServiceAccountField = (description: string) =>
  Field.id('user', {
    optional: true,
    ignoresNull: true,
    description,
    check: (id) => (typeof id === 'string' ? undefined : 'must be an ID such as user_…'),
  });

const LIMIT = { min: 1, optional: true, nullable: true } as const;

/** Rate limits of a key in requests. */
export class WriteKeyLimitsDto {
  @Field.integer({ ...LIMIT, description: 'Requests per minute. Null: no limit.', example: 60 })
  minute?: number | null;

  @Field.integer({ ...LIMIT, description: 'Requests per hour. Null: no limit.', example: 1000 })
  hour?: number | null;

  @Field.integer({ ...LIMIT, description: 'Requests per day. Null: no limit.', example: null })
  day?: number | null;
}

/** The body of `POST /v1/keys`. */
export class CreateKeyDto {
  @NameField({ example: 'Build server' }) name: string;

  @ScopesField({
    description: 'What the key can do. Only scopes that the calling key has. `*` is all scopes.',
    example: ['documents:read', 'documents:write'],
  })
  scopes: Scope[];

  @ExpiryField(
    'When the key stops working, at the latest when the calling key expires. Omitted or null: never, which only a key without an expiry can grant.',
  )
  expiresAt?: string | null;

  @RangesField({
    optional: true,
    ignoresNull: true,
    description:
      'Addresses and CIDR ranges that can use the key, within those of the calling key. Omitted or empty: all, which only a key without such restrictions can grant.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  allowedIps?: string[] | null;

  @ServiceAccountField(
    'The service account that owns the key, instead of you. Its role must have all scopes of the key.',
  )
  serviceAccountId?: string | null;

  @Field.object(WriteKeyLimitsDto, {
    optional: true,
    nullable: true,
    description:
      'Requests that the key can send, in addition to the limits of the account, and at most those of the calling key. Omitted or null: no limits of its own, which only a key without limits can grant.',
    example: { minute: 60, hour: 1000 },
  })
  limits?: WriteKeyLimitsDto | null;

  @CollectionsField({
    optional: true,
    description: `The collections that the key can use, with all below them; everything else does not exist for it. You must be able to see them. Such a key can only have the scopes ${LIMITABLE_SCOPES.join(', ')}. Omitted or null: no limit.`,
  })
  collections?: string[] | null;
}

/** The body of `PATCH /v1/keys/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields([
  'id',
  'lastFour',
  'revokedAt',
  'lastUsedAt',
  'createdAt',
  'createdBy',
  'owner',
  'client',
])
export class PatchKeyDto {
  @NameField({ optional: true, example: 'Build server, Berlin' }) name?: string;

  @ScopesField({
    optional: true,
    description: 'Replaces the current scopes. You can only remove scopes, not add any.',
    example: ['documents:read'],
  })
  scopes?: Scope[];

  @ExpiryField(
    'When the key stops working, at the latest when the calling key expires. Null: never, which only a key without an expiry can grant.',
  )
  expiresAt?: string | null;

  @RangesField({
    optional: true,
    nullable: true,
    description:
      'Replaces the current addresses, all within those of the calling key. Empty or null: all addresses, which only a key without address restrictions can grant.',
    example: ['192.0.2.0/24'],
  })
  allowedIps?: string[] | null;

  @Field.object(WriteKeyLimitsDto, {
    optional: true,
    nullable: true,
    description:
      'Changes the limits from the next request on, at most to those of the calling key. An omitted window keeps its limit. Null: no limits, which only a key without limits can grant.',
    example: { minute: 60, day: null },
  })
  limits?: WriteKeyLimitsDto | null;

  @CollectionsField({
    optional: true,
    description:
      'Replaces the collections that the key can use, with all below them, from the next request on. Null: no limit, which a key with collections cannot grant.',
  })
  collections?: string[] | null;
}

/** The body of `POST /v1/keys/{id}/rotate`. */
export class RotateKeyDto {
  @Field.integer({
    optional: true,
    max: MAX_GRACE_SECONDS,
    default: DEFAULT_GRACE_SECONDS,
    description: 'How long the old key remains valid, in seconds. 0 revokes it immediately.',
    example: 3600,
    issue: `must be a whole number of seconds from 0 to ${String(MAX_GRACE_SECONDS)}`,
  })
  gracePeriodSeconds?: number;

  @ServiceAccountField(
    'The service account that owns the new key. Its role must have all scopes of the key. Omitted: the new key stays with its service account, or is yours.',
  )
  serviceAccountId?: string | null;
}

type Examples<Body> = Readonly<Record<string, { summary: string; value: Body }>>;

/** Example bodies of `POST /v1/keys` for the API document. */
export const CREATE_KEY_EXAMPLES: Examples<CreateKeyDto> = {
  forever: {
    summary: 'A key that never expires',
    value: { name: 'Build server', scopes: ['documents:read', 'documents:write'] },
  },
  restricted: {
    summary: 'A key with an expiry and address restrictions',
    value: {
      name: 'Auditor',
      scopes: ['documents:read'],
      expiresAt: '2027-01-31T00:00:00Z',
      allowedIps: ['192.0.2.0/24', '2001:db8::/32'],
    },
  },
  oneCollection: {
    summary: 'A key for one collection and all below it',
    value: {
      name: 'Writing agent',
      scopes: ['documents:read', 'documents:suggest'],
      collections: [sampleId('collection')],
    },
  },
};

/** Example bodies of `POST /v1/keys/{id}/rotate`. */
export const ROTATE_KEY_EXAMPLES: Examples<RotateKeyDto> = {
  dayOfGrace: { summary: 'Keep the old key valid for a day', value: {} },
  hourOfGrace: {
    summary: 'Keep the old key valid for an hour',
    value: { gracePeriodSeconds: 3600 },
  },
  atOnce: { summary: 'Revoke a leaked key immediately', value: { gracePeriodSeconds: 0 } },
};
