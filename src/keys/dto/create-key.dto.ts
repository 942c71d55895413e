import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import { CheckedBy, IsRequired } from '../../envelope/field-decorators.js';
import { ApiText, ApiTimestamp } from '../../openapi/property-decorators.js';
import { SCOPES, type Scope } from '../../auth/scopes.js';
import { MAX_RANGES, MAX_SCOPES, rangeProblems, scopeProblems } from '../key-fields.js';
import { parseTimestamp } from '../../clock/timestamp.js';
import { RANGE_CHARACTERS, RANGE_PATTERN } from './api-key.dto.js';

const MAX_NAME_CHARACTERS = 100;

const isTimestamp = {
  name: 'isTimestamp',
  validator: {
    validate: (value: unknown) => typeof value === 'string' && parseTimestamp(value) !== undefined,
  },
};

/** The body of `POST /v1/keys`. Of several decorators on a field the lowest is checked first. */
export class CreateKeyDto {
  @ApiText({ minLength: 1, maxLength: MAX_NAME_CHARACTERS, example: 'Build server' })
  @MaxLength(MAX_NAME_CHARACTERS, {
    message: `must not be longer than ${String(MAX_NAME_CHARACTERS)} characters`,
  })
  @Matches(/\S/, { message: 'must not be empty or only white space' })
  @IsString({ message: 'must be a string' })
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
  @ArrayMaxSize(MAX_SCOPES, { message: `must not have more than ${String(MAX_SCOPES)} items` })
  @ArrayNotEmpty({ message: 'must name at least one scope' })
  @IsArray({ message: 'must be an array of scopes, such as ["documents:read"]' })
  @CheckedBy(scopeProblems)
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
  @ValidateBy(isTimestamp, {
    message: 'must be a time with its zone, such as 2027-01-31T00:00:00Z',
  })
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
  @ArrayMaxSize(MAX_RANGES, { message: `must not have more than ${String(MAX_RANGES)} items` })
  @IsArray({ message: 'must be an array of addresses and CIDR ranges, such as ["192.0.2.0/24"]' })
  @CheckedBy(rangeProblems)
  allowedIps?: string[] | null;
}
