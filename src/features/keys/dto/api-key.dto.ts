import { ApiProperty } from '@nestjs/swagger';
import {
  ApiEmail,
  ApiId,
  ApiSecret,
  ApiText,
  ApiTimestamp,
} from '../../../platform/openapi/property-decorators.js';
import { SCOPES, type Scope } from '../../access/auth/scopes.js';
import { MAX_RANGES } from '../key-fields.js';
import type { PublicIssuedKey, PublicKey, PublicRotatedKey } from '../key.presenter.js';

/** The longest address or CIDR range, and the characters of both. */
export const RANGE_CHARACTERS = 49;
export const RANGE_PATTERN = '^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$';

/** A user, as keys name who made them. */
export class KeyCreatorDto {
  @ApiId('user')
  id: string;

  @ApiText({ maxLength: 200, example: 'Ada Lovelace' })
  name: string;

  @ApiEmail()
  email: string;
}

/** An API key as every answer shows it; the key itself is not in it. */
export class ApiKeyDto implements PublicKey {
  @ApiId('key')
  id: string;

  @ApiText({ maxLength: 200, example: 'Build server' })
  name: string;

  @ApiProperty({
    maxLength: 4,
    pattern: '^[0-9A-Za-z]{4}$',
    description: 'The last four characters of the key, to recognise it by.',
    example: 'x4Qz',
  })
  lastFour: string;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    maxItems: SCOPES.length,
    example: ['documents:read', 'documents:write'],
  })
  scopes: readonly Scope[];

  @ApiProperty({
    type: [String],
    maxItems: MAX_RANGES,
    maxLength: RANGE_CHARACTERS,
    pattern: RANGE_PATTERN,
    description: 'Addresses and CIDR ranges the key may be used from; empty allows all.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  allowedIps: readonly string[];

  @ApiTimestamp({
    nullable: true,
    example: '2027-01-31T00:00:00.000Z',
  })
  expiresAt: string | null;

  @ApiTimestamp({ nullable: true, example: null })
  revokedAt: string | null;

  @ApiTimestamp({
    nullable: true,
    description: 'Written at most once a minute.',
    example: '2026-11-21T09:30:00.000Z',
  })
  lastUsedAt: string | null;

  @ApiTimestamp()
  createdAt: string;

  @ApiProperty({ type: KeyCreatorDto })
  createdBy: KeyCreatorDto;
}

/** An answer as its first request or a replay of it gets it. */
type Shown<Key extends PublicIssuedKey> = Omit<Key, 'key'> & { key: string | null };

/** An API key just made. */
export class CreatedApiKeyDto extends ApiKeyDto implements Shown<PublicIssuedKey> {
  @ApiSecret({
    maxLength: 46,
    pattern: '^ds_live_[0-9A-Za-z]{38}$',
    description: 'The key itself, shown this once: keep it safe.',
    example: 'ds_live_7Gq2mVb8TzKxW4nRc9YpLs3HdJf6Ea1Q0a1B2c',
  })
  key: string | null;

  @ApiTimestamp({ nullable: true, description: 'Null: it was not used yet.', example: null })
  declare lastUsedAt: string | null;
}

class ReplacedKeyDto {
  @ApiId('key', { example: 'key_01kaj9w2s6fq3r8h5d0m7x1yzb' })
  id: string;

  @ApiTimestamp({
    nullable: true,
    description: 'When the old key stops working, unless it was revoked at once.',
    example: '2026-11-22T09:30:00.000Z',
  })
  expiresAt: string | null;

  @ApiTimestamp({ nullable: true, example: null })
  revokedAt: string | null;
}

/** The new key of a rotation, and what becomes of the old one. */
export class RotatedApiKeyDto extends CreatedApiKeyDto implements Shown<PublicRotatedKey> {
  @ApiProperty({ type: ReplacedKeyDto })
  replaces: ReplacedKeyDto;
}

/** The answer to a revocation. */
export class RevokedApiKeyDto {
  @ApiId('key')
  id: string;

  @ApiProperty({ enum: [true], example: true })
  deleted: true;
}
