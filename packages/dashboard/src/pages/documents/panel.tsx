import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchState } from '../../search-state.js';
import classes from './document-page.module.css';

/** A panel beside the text, which can be written on meanwhile. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const [, change] = useSearchState();
  return (
    <aside className={classes.panel} aria-label={title}>
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
