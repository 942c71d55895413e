import { CollectionsField, RangesField } from './write-key.dto.js';
import { Field } from '../../../platform/openapi/field.js';
import { USER_KINDS, type UserKind } from '../../auth/person.js';
import type { WindowLimits } from '../../auth/plan.js';
import { SCOPES, type Scope } from '../../auth/scopes.js';
import type { ConnectedApp } from '../../auth/connected-app.js';
import type { PublicIssuedKey, PublicKey, PublicRotatedKey } from '../key.presenter.js';

const LIMIT = { min: 1, nullable: true } as const;

/** Rate limits of a key in requests. */
export class KeyLimitsDto implements WindowLimits {
  @Field.integer({ ...LIMIT, description: 'Requests per minute. Null: no limit.', example: 60 })
  minute: number | null;

  @Field.integer({ ...LIMIT, description: 'Requests per hour. Null: no limit.', example: 1000 })
  hour: number | null;

  @Field.integer({ ...LIMIT, description: 'Requests per day. Null: no limit.', example: null })
  day: number | null;
}

/** The user who created a key, or the service account that owns it. */
export class KeyCreatorDto {
  @Field.id('user') id: string;
  @Field.text({ max: 200, example: 'Ada Lovelace' }) name: string;
  @Field.email() email: string;
}

/** The person or the service account that a key belongs to. */
export class KeyOwnerDto {
  @Field.id('user') id: string;
  @Field.text({ max: 200, example: 'Build server' }) name: string;

  @Field.oneOf(USER_KINDS, {
    description: '`service`: a service account, whose keys outlive the people who create them.',
    example: 'service',
  })
  kind: UserKind;
}

/** An app that a person has connected with OAuth. */
export class ConnectedAppDto implements ConnectedApp {
  @Field.text({
    max: 2_048,
    description: 'The OAuth client ID.',
    example: 'https://app.example.com/oauth/client.json',
  })
  id: string;

  @Field.text({ max: 100, example: 'Example editor' }) name: string;

  @Field.text({
    max: 253,
    nullable: true,
    description:
      'The host that publishes the description of the app. Null: the app chose its name itself, and nobody has verified it.',
    example: 'app.example.com',
  })
  host: string | null;
}

/** An API key in responses, without the key itself. */
export class ApiKeyDto implements PublicKey {
  @Field.id('key') id: string;
  @Field.text({ max: 200, example: 'Build server' }) name: string;

  @Field.text({
    max: 4,
    pattern: '^[0-9A-Za-z]{4}$',
    description: 'The last four characters of the key, to identify it.',
    example: 'x4Qz',
  })
  lastFour: string;

  @Field.list(SCOPES, { max: SCOPES.length, example: ['documents:read', 'documents:write'] })
  scopes: readonly Scope[];

  @RangesField({
    description: 'Addresses and CIDR ranges that can use the key. Empty: all.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  allowedIps: readonly string[];

  @Field.object(KeyLimitsDto, {
    description: 'Requests that the key can send, in addition to the limits of the account.',
  })
  limits: KeyLimitsDto;

  @CollectionsField({
    min: 0,
    description:
      'The collections that the key can use, with all below them. Deleted ones stay listed. Null: no limit. Empty: nothing.',
    example: null,
  })
  collections: readonly string[] | null;

  @Field.time({ nullable: true, example: '2027-01-31T00:00:00.000Z' }) expiresAt: string | null;
  @Field.time({ nullable: true, example: null }) revokedAt: string | null;

  @Field.time({
    nullable: true,
    description: 'Updated at most once a minute.',
    example: '2026-11-21T09:30:00.000Z',
  })
  lastUsedAt: string | null;

  @Field.time() createdAt: string;

  @Field.object(KeyCreatorDto, {
    description:
      'The same as `owner`, with an address. The address of a service account receives no mail.',
  })
  createdBy: KeyCreatorDto;

  @Field.object(KeyOwnerDto, {
    description: 'Whose role limits the key: the person who created it, or a service account.',
  })
  owner: KeyOwnerDto;

  @Field.object(ConnectedAppDto, {
    nullable: true,
    description:
      'The connected app that uses the key with its own tokens. Null: an ordinary key. Revoke the key to disconnect the app.',
    example: null,
  })
  client: ConnectedAppDto | null;
}

/** The response to the first request or to a replay of it. */
type Shown<Key extends PublicIssuedKey> = Omit<Key, 'key'> & { key: string | null };

/** A new API key. */
export class CreatedApiKeyDto extends ApiKeyDto implements Shown<PublicIssuedKey> {
  @Field.secret({
    max: 46,
    pattern: '^ds_live_[0-9A-Za-z]{38}$',
    description: 'The key itself, shown only once: store it safely.',
    example: 'ds_live_7Gq2mVb8TzKxW4nRc9YpLs3HdJf6Ea1Q0a1B2c',
  })
  key: string | null;

  @Field.time({
    nullable: true,
    description: 'Null: the key has not been used yet.',
    example: null,
  })
  declare lastUsedAt: string | null;
}

class ReplacedKeyDto {
  @Field.id('key', { example: 'key_01kaj9w2s6fq3r8h5d0m7x1yzb' }) id: string;

  @Field.time({
    nullable: true,
    description: 'When the old key stops working, unless it was revoked immediately.',
    example: '2026-11-22T09:30:00.000Z',
  })
  expiresAt: string | null;

  @Field.time({ nullable: true, example: null }) revokedAt: string | null;
}

/** The new key of a rotation, and the expiry of the old one. */
export class RotatedApiKeyDto extends CreatedApiKeyDto implements Shown<PublicRotatedKey> {
  @Field.object(ReplacedKeyDto) replaces: ReplacedKeyDto;
}

/** The response to a revocation. */
export class RevokedApiKeyDto {
  @Field.id('key') id: string;
  @Field.constant(true) deleted: true;
}
