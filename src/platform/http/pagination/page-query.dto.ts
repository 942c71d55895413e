import { Field } from '../../openapi/field.js';
import { Filter } from '../../openapi/filter.js';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** The parameters of every list. A list adds its own `sort`. */
export class PageQueryDto {
  @Filter.integer({
    min: 1,
    max: 999_999_999_999_999,
    default: 1,
    description: 'Page number. A page past the end is empty.',
    example: 1,
    issue: 'must be a whole number from 1',
  })
  page = 1;

  @Filter.integer({
    min: 1,
    max: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Items per page.',
    example: DEFAULT_LIMIT,
  })
  limit = DEFAULT_LIMIT;

  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'desc',
    description: 'Direction; ties are broken by id in the same direction.',
    example: 'desc',
  })
  order: 'asc' | 'desc' = 'desc';

  /** The cost of a cursor does not depend on its depth. */
  @Field.text({
    optional: true,
    max: 4096,
    pattern: '^[A-Za-z0-9_-]+$',
    description:
      'The `meta.pagination.nextCursor` of the previous page, instead of `page`. Do not change `sort` and `order` while you follow cursors.',
    example:
      'WyJjcmVhdGVkX2F0IiwiZGVzYyIsIjIwMjYtMTEtMjBUMDg6MDA6MDAuMDAwWiIsIjAxOTkyOGM0LTAwMDAtNzAwMC04MDAwLTAwMDAwMDAwMDAwMCJd',
    check: (value) => cursorIssue(value, 'is not a cursor of this list'),
  })
  cursor?: string;
}

/** Returns the issue of a malformed cursor; `notCursor` is the message for this list. */
export function cursorIssue(value: unknown, notCursor: string): string | undefined {
  if (typeof value !== 'string') return 'must be given once';
  return value.length > 4096 ? notCursor : undefined;
}

/**
 * Sorts of a list whose items have no update time. The specification has both names for every list; here they give the
 * same order.
 */
const CREATION_SORTS = ['created_at', 'updated_at'] as const;
export type CreationSort = (typeof CREATION_SORTS)[number];

const CREATED_AT = { column: 'created_at', type: 'timestamptz' } as const;
export const BY_CREATION = { created_at: CREATED_AT, updated_at: CREATED_AT };

/** The parameters of a list whose items have no update time. */
export class CreationOrderDto extends PageQueryDto {
  @Filter.sort(CREATION_SORTS, {
    description:
      'Field to sort by. Items have no update time, so `updated_at` gives the same order.',
    example: 'created_at',
    default: 'created_at',
  })
  sort: CreationSort = 'created_at';
}
