import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';

/**
 * The field that a list is sorted by, in the spelling of the specification (`created_at`) or in that of answers
 * (`createdAt`), which becomes the first.
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
        `must be one of ${sorts.join(', ')}${isSigned(value) ? '; order=asc or order=desc says the direction' : ''}`,
    }),
  );

/** `-createdAt`, as other services have it. */
const isSigned = (value: unknown) => typeof value === 'string' && /^[-+ ]|[: ]/.test(value);

function inCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
