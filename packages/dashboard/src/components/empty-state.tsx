import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface EmptyStateProps {
  /** One sentence about what would be here. */
  sentence: ReactNode;
  /** The button of the first action. */
  action?: ReactNode;
  /** Headings of the columns, to show what the list will contain. */
  columns?: readonly string[];
}

/** Replaces an empty page or list. */
export function EmptyState({ sentence, action, columns = [] }: EmptyStateProps) {
  return (
    <div className={classes.frame}>
      {columns.length > 0 && <Preview columns={columns} />}
      <Stack className={classes.empty} align="center" gap="md">
        <p className={classes.sentence}>{sentence}</p>
        {action}
      </Stack>
    </div>
  );
}

/** The headings of the list over rows without content. */
function Preview({ columns }: { columns: readonly string[] }) {
  return (
    <div className={classes.preview} aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className={classes.previewRow}>
          {columns.map((column) => (
            <span key={column}>{row === 0 ? column : <i />}</span>
          ))}
        </div>
      ))}
    </div>
  );
}
