import { PageQueryDto } from './page-query.dto.js';
import { Filter } from '../../openapi/filter.js';

/**
 * Sorts of a list whose items show no time of change. The specification has both names for every list; here they are one
 * order.
 */
const CREATION_SORTS = ['created_at', 'updated_at'] as const;
export type CreationSort = (typeof CREATION_SORTS)[number];

const CREATED_AT = { column: 'created_at', type: 'timestamptz' } as const;
/** Both sorts, by the column that tells when an item was made. */
export const BY_CREATION = { created_at: CREATED_AT, updated_at: CREATED_AT };

/** The parameters of a list whose items show no time of change. */
export class CreationOrderDto extends PageQueryDto {
  @Filter.sort(CREATION_SORTS, {
    description: 'Field to sort by. Items show no time of change: `updated_at` is the same order.',
    example: 'created_at',
    default: 'created_at',
  })
  sort: CreationSort = 'created_at';
}
