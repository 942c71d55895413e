import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** Digits become a number; anything else stays text and fails `IsInt`. */
const toInteger = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
);

const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** The parameters of every list. A list adds its own `sort`. */
export class PageQueryDto {
  /** Page number, from 1. */
  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: 999_999_999_999_999,
    default: 1,
    description: 'Page number. A page past the end is empty.',
    example: 1,
  })
  @toInteger
  @IsInt({ message: 'must be a whole number from 1' })
  @Min(1, { message: 'must be a whole number from 1' })
  page = 1;

  /** Items per page. */
  @ApiPropertyOptional({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Items per page.',
    example: DEFAULT_LIMIT,
  })
  @toInteger
  @IsInt({ message: 'must be a whole number from 1 to 100' })
  @Min(1, { message: 'must be a whole number from 1 to 100' })
  @Max(MAX_LIMIT, { message: 'must be a whole number from 1 to 100' })
  limit = DEFAULT_LIMIT;

  @ApiPropertyOptional({
    enum: ['asc', 'desc'],
    default: 'desc',
    description: 'Direction; ties are broken by id in the same direction.',
    example: 'desc',
  })
  @IsIn(['asc', 'desc'], { message: 'must be asc or desc' })
  order: 'asc' | 'desc' = 'desc';

  /** `meta.pagination.nextCursor` of the page before; costs the same at any depth. */
  @ApiPropertyOptional({
    maxLength: 4096,
    pattern: '^[A-Za-z0-9_-]+$',
    description:
      '`meta.pagination.nextCursor` of the page before, in place of `page`. Keep `sort` and `order` while following cursors.',
    example:
      'WyJjcmVhdGVkX2F0IiwiZGVzYyIsIjIwMjYtMTEtMjBUMDg6MDA6MDAuMDAwWiIsIjAxOTkyOGM0LTAwMDAtNzAwMC04MDAwLTAwMDAwMDAwMDAwMCJd',
  })
  @IsOptional()
  @IsString({ message: 'must be given once' })
  @MaxLength(4096, { message: 'is not a cursor of this list' })
  cursor?: string;
}
