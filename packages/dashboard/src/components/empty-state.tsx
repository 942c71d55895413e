import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface EmptyStateProps {
  /** One sentence about what would be here. */
  sentence: ReactNode;
  /** The button of the first action. */
  action?: ReactNode;
}

/** Replaces an empty page or list. */
export function EmptyState({ sentence, action }: EmptyStateProps) {
  return (
    <div className={classes.frame}>
      <Stack className={classes.empty} align="center" gap="md">
        <p className={classes.sentence}>{sentence}</p>
        {action}
      </Stack>
    </div>
  );
}
