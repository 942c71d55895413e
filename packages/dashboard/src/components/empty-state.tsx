import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface EmptyStateProps {
  /** What would be here. */
  sentence: ReactNode;
  /** The button that begins. */
  action?: ReactNode;
}

/** A place where nothing is yet. */
export function EmptyState({ sentence, action }: EmptyStateProps) {
  return (
    <div className={classes.frame}>
      <Stack className={classes.empty} align="center" gap="md">
        <Text c="dimmed" maw={520}>
          {sentence}
        </Text>
        {action}
      </Stack>
    </div>
  );
}
