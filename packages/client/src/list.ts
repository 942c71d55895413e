import type { ApiResponse, Call } from './call.js';
import { ConnectionError } from './errors.js';
import type { Schemas } from './types.js';

/** A page of items. */
export interface Page<T> extends ApiResponse<T[]> {
  pagination: Schemas['Pagination'];
  hasMore: boolean;
  /** Returns the next page, or `undefined` if this is the last one. */
  next: () => Promise<Page<T> | undefined>;
}

/** Position of a page. */
export interface PagePosition {
  page?: number | undefined;
  cursor?: string | undefined;
}

/**
 * A list of the API. Iterate it with `for await` to read all items page by page, or await it (or call {@link page}) to
 * read the first page. Sends no request before that.
 */
export class List<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  /** @param read Requests the page at a position, or by default the page of the query. */
  constructor(private readonly read: (place?: PagePosition) => Call<T[]>) {}

  page(): Promise<Page<T>> {
    return this.pageAt();
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    for (let page: Page<T> | undefined = await this.page(); page; page = await page.next()) {
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Returns all items, or the first `limit` items. */
  async toArray({ limit = Infinity }: { limit?: number } = {}): Promise<T[]> {
    const items: T[] = [];
    if (limit <= 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }

  then<Result = Page<T>, Failed = never>(
    onfulfilled?: ((page: Page<T>) => Result | PromiseLike<Result>) | null,
    onrejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    return this.page().then(onfulfilled, onrejected);
  }

  private async pageAt(place?: PagePosition): Promise<Page<T>> {
    const response = await this.read(place).withResponse();
    if (!Array.isArray(response.data)) {
      throw new ConnectionError('The response is not a list of the service. Check baseUrl.');
    }
    const pagination = response.meta.pagination ?? {
      limit: response.data.length,
      total: response.data.length,
      hasMore: false,
      nextCursor: null,
    };
    return {
      ...response,
      pagination,
      hasMore: pagination.hasMore,
      next: async () => {
        const next = positionAfter(pagination);
        return next && this.pageAt(next);
      },
    };
  }
}

/** Prefers the cursor, which concurrent changes do not affect. Orders without cursors use page numbers. */
function positionAfter({
  hasMore,
  nextCursor,
  page,
}: Schemas['Pagination']): PagePosition | undefined {
  if (!hasMore) return undefined;
  if (nextCursor) return { cursor: nextCursor, page: undefined };
  return page === undefined ? undefined : { page: page + 1 };
}
