import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** How long a message with an Undo button is visible, in ms. */
const UNDO_TIME = 10_000;

/** Shows what was done, with a button that reverts it. */
export function showUndo(sentence: string, undo: () => void): void {
  const message = notifications.show({
    message: (
      <Group gap="xs" justify="space-between">
        <span>{sentence}</span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(message);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
    color: 'green',
    role: 'status',
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss message' },
    autoClose: UNDO_TIME,
  });
}
