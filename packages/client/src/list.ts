import type { Answer, Call } from './call.js';
import { ConnectionError } from './errors.js';
import type { Schemas } from './types.js';

/** A page of items. */
export interface Page<T> extends Answer<T[]> {
  pagination: Schemas['Pagination'];
  hasMore: boolean;
  /** Returns the next page, or `undefined` if this is the last one. */
  next: () => Promise<Page<T> | undefined>;
}

/** Position of a page. */
export interface Place {
  page?: number | undefined;
  cursor?: string | undefined;
}

/**
 * A list of the API. Iterate it with `for await` to read all items page by page, or await it (or call {@link page}) to
 * read the first page. Sends no request before that.
 */
export class List<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  /** @param read Requests the page at a position, or by default the page of the query. */
  constructor(private readonly read: (place?: Place) => Call<T[]>) {}

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

  private async pageAt(place?: Place): Promise<Page<T>> {
    const answer = await this.read(place).withResponse();
    if (!Array.isArray(answer.data)) {
      throw new ConnectionError('The response is not a list of the service. Check baseUrl.');
    }
    const pagination = answer.meta.pagination ?? {
      limit: answer.data.length,
      total: answer.data.length,
      hasMore: false,
      nextCursor: null,
    };
    return {
      ...answer,
      pagination,
      hasMore: pagination.hasMore,
      next: async () => {
        const next = placeAfter(pagination);
        return next && this.pageAt(next);
      },
    };
  }
}

/** Prefers the cursor, which concurrent changes do not affect. Orders without cursors use page numbers. */
function placeAfter({ hasMore, nextCursor, page }: Schemas['Pagination']): Place | undefined {
  if (!hasMore) return undefined;
  if (nextCursor) return { cursor: nextCursor, page: undefined };
  return page === undefined ? undefined : { page: page + 1 };
}
