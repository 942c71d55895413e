import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchState } from '../search-state.js';
import { formatCount } from './numbers.js';
import { useRovingFocus } from './roving-focus.js';
import classes from './data-table.module.css';

interface PagerProps {
  pagination:
    | {
        page?: number | undefined;
        limit: number;
        total: number;
        hasMore: boolean;
        totalIsLowerBound?: boolean | undefined;
      }
    | undefined;
}

/** Rows per page. */
export const PAGE_SIZE = 25;

/** Reads the page number from the URL. */
export function pageOf({ page }: { page?: string | undefined }): number {
  const number = Number(page);
  return Number.isInteger(number) && number > 0 ? number : 1;
}

/** The buttons between pages. The Tab key stops at them once. */
function Pages({ children }: { children: ReactNode }) {
  const roving = useRovingFocus<HTMLDivElement>();
  return (
    <div className={classes.pages} role="group" aria-label="Pages" {...roving}>
      {children}
    </div>
  );
}

/** Shows the total, and buttons to the previous and next page if there is one. */
export function Pager({ pagination }: PagerProps) {
  const [, change] = useSearchState();
  if (!pagination || pagination.total === 0) return null;
  const { page = 1, limit, total, hasMore, totalIsLowerBound } = pagination;
  const from = (page - 1) * limit + 1;
  const to = Math.min(page * limit, total);
  const goTo = (number: number) => {
    change({ page: number === 1 ? undefined : String(number) });
  };
  return (
    <div className={classes.foot}>
      <span>
        {formatCount(from)} to {formatCount(to)} of {totalIsLowerBound === true && 'more than '}
        {formatCount(total)}
      </span>
      {(page > 1 || hasMore) && (
        <Pages>
          <Button
            size="xs"
            variant="default"
            disabled={page === 1}
            onClick={() => {
              goTo(page - 1);
            }}
          >
            Previous
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={!hasMore}
            onClick={() => {
              goTo(page + 1);
            }}
          >
            Next
          </Button>
        </Pages>
      )}
    </div>
  );
}

interface CursorPagerProps {
  pagination: { hasMore: boolean; nextCursor: string | null } | undefined;
}

/** Buttons for a list with a cursor, which has no page numbers: to older rows, and back. */
export function CursorPager({ pagination }: CursorPagerProps) {
  const [{ cursor }, change] = useSearchState();
  if (!pagination || (!pagination.hasMore && cursor === undefined)) return null;
  return (
    <div className={classes.foot}>
      <span />
      <Pages>
        <Button
          size="xs"
          variant="default"
          disabled={cursor === undefined}
          onClick={() => {
            change({ cursor: undefined });
          }}
        >
          Newest
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!pagination.hasMore}
          onClick={() => {
            change({ cursor: pagination.nextCursor ?? undefined });
          }}
        >
          Older
        </Button>
      </Pages>
    </div>
  );
}
