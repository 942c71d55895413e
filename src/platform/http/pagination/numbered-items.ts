import { invalidFields } from '../../basics/errors/app-error.js';
import { readCursor, writeCursor } from './cursor.js';
import type { PageQueryDto } from './page-query.dto.js';
import type { Page } from './read-page.js';

/** Items that are numbered from 1 without a gap, so that a page is a range of numbers. */
export interface NumberedItems<Item> {
  /** UUID of what the items belong to. */
  ownerId: string;
  total: number;
  /** Returns the items `first` to `last`, both included, the lowest number first. */
  read: (first: number, last: number) => Promise<Item[]>;
}

/** All sorts of such a list are the order of the numbers. */
const SORT = 'number';

/** Returns one page. Throws `bad_request` for a cursor of another list or order. */
export async function readNumberedItems<Item>(
  { ownerId, total, read }: NumberedItems<Item>,
  query: PageQueryDto,
): Promise<Page<Item>> {
  const { limit, order, page, cursor } = query;
  const skipped = cursor === undefined ? (page - 1) * limit : skippedBy(cursor, query, total);
  const [first, last] =
    order === 'asc'
      ? [skipped + 1, Math.min(skipped + limit, total)]
      : [Math.max(total - skipped - limit + 1, 1), total - skipped];
  const found = first > last ? [] : await read(first, last);
  const hasMore = skipped + limit < total;
  const key = order === 'asc' ? last : first;
  const nextCursor = hasMore ? writeCursor({ sort: SORT, order, key, id: ownerId }) : null;
  const counted = { limit, total, hasMore, nextCursor };
  return {
    rows: order === 'asc' ? found : found.reverse(),
    pagination:
      cursor === undefined ? { page, pages: Math.ceil(total / limit), ...counted } : counted,
  };
}

/** Returns how many items stand before the page that a cursor begins. */
function skippedBy(cursor: string, { order, page }: PageQueryDto, total: number): number {
  if (page !== 1) {
    throw invalidFields([{ field: 'page', issue: 'excludes cursor; send one of the two' }]);
  }
  const key = Number(readCursor(cursor, { sort: SORT, order }, 'integer').key);
  return order === 'asc' ? key : total - key + 1;
}
