import type { SqlType } from './cursor.js';

/**
 * Sorts of a list whose items show no time of change. The specification has both names for every list; here they are one
 * order.
 */
export const CREATION_SORTS = ['created_at', 'updated_at'] as const;
export type CreationSort = (typeof CREATION_SORTS)[number];

type CreationSorts = Readonly<Record<CreationSort, { column: string; type: SqlType }>>;

/** Both sorts by the column that tells when an item was made. */
export function byCreation(column = 'created_at', type: SqlType = 'timestamptz'): CreationSorts {
  const sort = { column, type };
  return { created_at: sort, updated_at: sort };
}
