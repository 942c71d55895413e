import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { PageQueryDto } from './page-query.dto.js';

/**
 * Declares the sort field of a list. Accepts `created_at` (the specification) and `createdAt` (the spelling in
 * responses).
 */
export const IsSort = <Sort extends string>(
  sorts: readonly Sort[],
  { description, example, isDefault }: { description: string; example: Sort; isDefault?: Sort },
) =>
  applyDecorators(
    ApiPropertyOptional({
      enum: [...sorts, ...sorts.map(inCamelCase).filter((name) => !sorts.includes(name as Sort))],
      ...(isDefault !== undefined && { default: isDefault }),
      description,
      example,
    }),
    Transform(
      ({ value }: { value: unknown }) => sorts.find((sort) => inCamelCase(sort) === value) ?? value,
    ),
    IsIn(sorts, {
      message: ({ value }: { value: unknown }) =>
        `must be one of ${sorts.join(', ')}${isSigned(value) ? '; order=asc or order=desc sets the direction' : ''}`,
    }),
  );

/** True for the syntax of other services, such as `-createdAt`. */
const isSigned = (value: unknown) => typeof value === 'string' && /^[-+ ]|[: ]/.test(value);

function inCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Sorts of a list whose items have no update time. The specification has both names for every list; here they mean the
 * same order.
 */
const CREATION_SORTS = ['created_at', 'updated_at'] as const;
export type CreationSort = (typeof CREATION_SORTS)[number];

const CREATED_AT = { column: 'created_at', type: 'timestamptz' } as const;
export const BY_CREATION = { created_at: CREATED_AT, updated_at: CREATED_AT };

/** The parameters of a list whose items have no update time. */
export class CreationOrderDto extends PageQueryDto {
  @IsSort(CREATION_SORTS, {
    description:
      'Field to sort by. Items have no update time, so `updated_at` gives the same order.',
    example: 'created_at',
    isDefault: 'created_at',
  })
  sort: CreationSort = 'created_at';
}
