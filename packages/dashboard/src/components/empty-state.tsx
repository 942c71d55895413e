import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface EmptyStateProps {
  /** One sentence: what would be here. */
  sentence: ReactNode;
  /** The one button that begins. */
  action?: ReactNode;
}

/** A place without content. */
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
