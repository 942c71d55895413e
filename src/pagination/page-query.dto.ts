import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** Digits become a number; anything else stays text and fails `IsInt`. */
const toInteger = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
);

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** The parameters of every list. A list adds its own `sort`. */
export abstract class PageQueryDto {
  /** Page number, from 1. */
  @toInteger
  @IsInt({ message: 'must be a whole number from 1' })
  @Min(1, { message: 'must be a whole number from 1' })
  page = 1;

  /** Items per page. */
  @toInteger
  @IsInt({ message: 'must be a whole number from 1 to 100' })
  @Min(1, { message: 'must be a whole number from 1 to 100' })
  @Max(MAX_LIMIT, { message: 'must be a whole number from 1 to 100' })
  limit = DEFAULT_LIMIT;

  @IsIn(['asc', 'desc'], { message: 'must be asc or desc' })
  order: 'asc' | 'desc' = 'desc';

  /** `meta.pagination.nextCursor` of the page before; costs the same at any depth. */
  @IsOptional()
  @IsString({ message: 'must be given once' })
  @MaxLength(4096, { message: 'is not a cursor of this list' })
  cursor?: string;
}
