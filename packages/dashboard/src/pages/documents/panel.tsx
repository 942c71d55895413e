import { CloseButton, FocusTrap } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import { useReturnFocus } from '../../components/return-focus.js';
import { useSearchState } from '../../search-state.js';
import classes from './document-page.module.css';

/**
 * Windows with space next to the text. In narrower ones, a panel covers a part of the text, and in the narrowest all of
 * it.
 */
const HAS_ROOM = '(min-width: 1200px)';
const COVERS_ALL = '(max-width: 719px)';

/** Values of `?panel=` in addresses of earlier releases, and what is there now. */
const RENAMED: Readonly<Record<string, string>> = { suggestions: 'check', analysis: 'check' };

/** Returns the open panel and a function that opens another one, or closes it. */
export function usePanel() {
  const [{ panel: given = '' }, change] = useSearchState();
  const panel = given === '' ? undefined : (RENAMED[given] ?? given);
  const open = useCallback(
    (next: string | undefined, options?: { replace: boolean }) => {
      change({ panel: next }, options);
    },
    [change],
  );
  return [panel, open] as const;
}

/** Returns true if panels and cards are next to the text. */
export function useRoomBeside(): boolean {
  return useMediaQuery(HAS_ROOM, undefined, { getInitialValueInEffect: false });
}

interface PanelProps {
  title: string;
  /** True if it is as long as the text and scrolls with it. */
  isLong?: boolean;
  /** What stays visible below the title while the panel scrolls. */
  tools?: ReactNode;
  children: ReactNode;
}

/** A panel next to the text, which can still be edited. On narrow windows, it is a sheet over the text. */
export function Panel({ title, isLong = false, tools, children }: PanelProps) {
  const [, open] = usePanel();
  const panel = useRef<HTMLElement>(null);
  const covers = !useRoomBeside();
  const coversAll = useMediaQuery(COVERS_ALL, undefined, { getInitialValueInEffect: false });
  useReturnFocus();
  useEffect(() => {
    // After the menu that opened it has returned the focus.
    const timer = setTimeout(() => {
      if (covers) panel.current?.focus();
    }, 50);
    return () => {
      clearTimeout(timer);
    };
  }, [covers]);
  return (
    <FocusTrap active={coversAll} innerRef={panel}>
      <aside
        className={classes.panel}
        aria-label={title}
        data-long={isLong || undefined}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented) return;
          // React reports keys in menus of the panel, too.
          const isInside = event.currentTarget.contains(event.target as Node);
          if (isInside) open(undefined);
        }}
      >
        <div className={classes.panelTop}>
          <div className={classes.panelHead}>
            <h2 className={classes.panelTitle}>{title}</h2>
            <CloseButton
              aria-label={`Close ${title}`}
              onClick={() => {
                open(undefined);
              }}
            />
          </div>
          {tools}
        </div>
        {children}
      </aside>
    </FocusTrap>
  );
}
