import { Text } from '@mantine/core';
import { useCallback } from 'react';
import type { SearchState } from '../search-state.js';
import { useAskBeforeLoss } from './ask-before-loss.js';
import { FormDialog } from './dialog.js';

interface AskBeforeLeavingProps {
  isChanged: boolean;
  /** What would be lost, such as "this template". */
  what: string;
}

/** Asks before the user loses form input by opening another page or tab of the page, or by reloading. */
export function AskBeforeLeaving({ isChanged, what }: AskBeforeLeavingProps) {
  const { leave, stay } = useAskBeforeLoss({
    isUnsaved: useCallback(() => isChanged, [isChanged]),
    isLosing: ({ current, next }) =>
      current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search),
  });
  if (!leave || !isChanged) return null;
  return (
    <FormDialog
      title="Leave without saving"
      submit="Leave without saving"
      color="red"
      submission={{ isPending: false, error: null }}
      onSubmit={() => {
        stay();
        leave();
      }}
      onClose={stay}
    >
      <Text size="sm">You have unsaved changes to {what}.</Text>
    </FormDialog>
  );
}

function tabOf(search: unknown): string | undefined {
  return (search as SearchState).tab;
}
