import { ApiProperty } from '@nestjs/swagger';
import { SCOPES, type Scope } from '../../scopes.js';
import type { PublicIssuedKey, PublicKey, PublicRotatedKey } from '../key.presenter.js';

const KEY_ID = 'key_01kam3k0v5e0rbk1y2c9q4w7zt';

class KeyCreatorDto {
  @ApiProperty({ example: 'user_01kam3k0v5e0rbk1y2c9q4w7zt' })
  id: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  name: string;

  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  email: string;
}

/** An API key as every answer shows it; the key itself is not in it. */
export class ApiKeyDto implements PublicKey {
  @ApiProperty({ example: KEY_ID })
  id: string;

  @ApiProperty({ example: 'Build server' })
  name: string;

  @ApiProperty({
    description: 'The last four characters of the key, to recognise it by.',
    example: 'x4Qz',
  })
  lastFour: string;

  @ApiProperty({ enum: SCOPES, isArray: true, example: ['documents:read', 'documents:write'] })
  scopes: readonly Scope[];

  @ApiProperty({
    type: [String],
    description: 'Addresses and CIDR ranges the key may be used from; empty allows all.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  allowedIps: readonly string[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2027-01-31T00:00:00.000Z',
  })
  expiresAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  revokedAt: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Written at most once a minute.',
    example: '2026-11-21T09:30:00.000Z',
  })
  lastUsedAt: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ type: KeyCreatorDto })
  createdBy: KeyCreatorDto;
}

/** An API key just made. */
export class CreatedApiKeyDto extends ApiKeyDto implements PublicIssuedKey {
  @ApiProperty({
    description: 'The key itself, shown this once: keep it safe.',
    example: 'ds_live_7Gq2mVb8TzKxW4nRc9YpLs3HdJf6Ea1Q0a1B2c',
  })
  key: string;
}

class ReplacedKeyDto {
  @ApiProperty({ example: 'key_01kaj9w2s6fq3r8h5d0m7x1yzb' })
  id: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the old key stops working, unless it was revoked at once.',
    example: '2026-11-22T09:30:00.000Z',
  })
  expiresAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  revokedAt: string | null;
}

/** The new key of a rotation, and what becomes of the old one. */
export class RotatedApiKeyDto extends CreatedApiKeyDto implements PublicRotatedKey {
  @ApiProperty({ type: ReplacedKeyDto })
  replaces: ReplacedKeyDto;
}
