import type { Answer, Call } from './call.js';
import type { Schemas } from './types.js';

/** Some of the items, and the way to the next ones. */
export interface Page<T> extends Answer<T[]> {
  pagination: Schemas['Pagination'];
  hasMore: boolean;
  /** `undefined` at the end. */
  next: () => Promise<Page<T> | undefined>;
}

/** Where a page begins. */
export interface Place {
  page?: number | undefined;
  cursor?: string | undefined;
}

/**
 * A list of the API. `for await` gives all items from page to page; awaited, or by {@link page}, it gives the first page.
 * Nothing is asked for before.
 */
export class List<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  /** @param read Asks for the page at a place; without one for the page that the caller named, or the first. */
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

  /** All items, or the first ones up to a limit. */
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

/** By cursor, which no change in between disturbs; by number where an order has no cursors. */
function placeAfter({ hasMore, nextCursor, page }: Schemas['Pagination']): Place | undefined {
  if (!hasMore) return undefined;
  if (nextCursor) return { cursor: nextCursor, page: undefined };
  return page === undefined ? undefined : { page: page + 1 };
}
