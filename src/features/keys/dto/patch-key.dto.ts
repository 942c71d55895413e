import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { SCOPES, type Scope } from '../../access/auth/scopes.js';
import { AcceptsFields, IfSent } from '../../../platform/http/envelope/field-decorators.js';
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

/** What answers carry and nobody can change. */
const READ_ONLY = ['id', 'lastFour', 'revokedAt', 'lastUsedAt', 'createdAt', 'createdBy'];

/** The body of `PATCH /v1/keys/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(READ_ONLY)
export class PatchKeyDto {
  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_NAME_CHARACTERS,
    example: 'Build server, Berlin',
  })
  @IfSent()
  @IsKeyName()
  name?: string;

  @ApiPropertyOptional({
    enum: SCOPES,
    isArray: true,
    minItems: 1,
    maxItems: MAX_SCOPES,
    description: 'In place of those before, all of which the key has: a key gets no further ones.',
    example: ['documents:read'],
  })
  @IfSent()
  @AreScopes()
  scopes?: Scope[];

  @ApiTimestamp({
    required: false,
    nullable: true,
    maxLength: 35,
    description:
      'When the key stops working, earlier or later than before; at the latest when the key that asks does. Null: never, which only a key without an end can give.',
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
    nullable: true,
    description:
      'In place of those before, all within those of the key that asks. Empty or null: all addresses, which only a key for all addresses can give.',
    example: ['192.0.2.0/24'],
  })
  @IsOptional()
  @AreRanges()
  allowedIps?: string[] | null;
}
