import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { SCOPES, type Scope } from '../../access/auth/scopes.js';
import { IsRequired } from '../../../platform/http/envelope/field-decorators.js';
import { ApiText, ApiTimestamp } from '../../../platform/openapi/property-decorators.js';
import { MAX_RANGES, MAX_SCOPES } from '../key-fields.js';
import { RANGE_CHARACTERS, RANGE_PATTERN } from './api-key.dto.js';
import {
  AreRanges,
  AreScopes,
  IsKeyEnd,
  IsKeyName,
  MAX_NAME_CHARACTERS,
} from './key-decorators.js';

/** The body of `POST /v1/keys`. Of several decorators on a field the lowest is checked first. */
export class CreateKeyDto {
  @ApiText({ minLength: 1, maxLength: MAX_NAME_CHARACTERS, example: 'Build server' })
  @IsKeyName()
  @IsRequired()
  name: string;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    minItems: 1,
    maxItems: MAX_SCOPES,
    description:
      'What the key may do; only what the key that makes it may do itself. `*` is everything.',
    example: ['documents:read', 'documents:write'],
  })
  @AreScopes()
  @IsRequired()
  scopes: Scope[];

  @ApiTimestamp({
    required: false,
    nullable: true,
    maxLength: 35,
    description:
      'When the key stops working; at the latest when the key that makes it does. Omitted or null: never, which only a key without an end can give.',
    example: '2027-01-31T00:00:00Z',
  })
  @IsOptional()
  @IsKeyEnd()
  expiresAt?: string | null;

  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_RANGES,
    maxLength: RANGE_CHARACTERS,
    pattern: RANGE_PATTERN,
    description:
      'Addresses and CIDR ranges the key may be used from, all within those of the key that makes it. Omitted or empty: all, which only a key for all addresses can give.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  @IsOptional()
  @AreRanges()
  allowedIps?: string[] | null;
}
