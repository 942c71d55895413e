import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchState } from '../../search-state.js';
import classes from './document-page.module.css';

interface PanelProps {
  title: string;
  /** True if it is as long as the text and scrolls with it. */
  isLong?: boolean;
  children: ReactNode;
}

/** A panel beside the text, which can be written on meanwhile. */
export function Panel({ title, isLong = false, children }: PanelProps) {
  const [, change] = useSearchState();
  return (
    <aside
      className={classes.panel}
      aria-label={title}
      data-long={isLong || undefined}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) change({ panel: undefined });
      }}
    >
      <div className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        <CloseButton
          aria-label={`Close ${title}`}
          onClick={() => {
            change({ panel: undefined });
          }}
        />
      </div>
      {children}
    </aside>
  );
}
