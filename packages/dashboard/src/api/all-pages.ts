import type { components } from './v1-schema.js';

type Page<Row> = {
  data: Row[];
  meta: { pagination: Pick<components['schemas']['Pagination'], 'nextCursor' | 'total'> };
};

/** Largest page of the API. */
export const LARGEST_PAGE = 100;

interface Options {
  /** Maximum number of rows to load. */
  most: number;
  onProgress?: (read: number, total: number) => void;
}

/** Loads all rows of a list, page by page with its cursor. */
export async function allPages<Row>(
  pageAfter: (cursor: string | undefined) => Promise<Page<Row>>,
  { most, onProgress }: Options,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const { data, meta } = await pageAfter(cursor);
    rows.push(...data);
    cursor = meta.pagination.nextCursor ?? undefined;
    onProgress?.(rows.length, meta.pagination.total);
  } while (cursor !== undefined && rows.length < most);
  return rows.slice(0, most);
}
