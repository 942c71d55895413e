import { notifications } from '@mantine/notifications';
import { asFailure } from '../api/failure.js';

const CLOSE = { 'aria-label': 'Dismiss message' };

/** Shows a success message. */
export function showDone(message: string): void {
  notifications.show({
    message,
    color: 'green',
    role: 'status',
    withBorder: true,
    closeButtonProps: CLOSE,
  });
}

/** Shows what was left out of something that otherwise worked. */
export function showNotice(message: string): void {
  notifications.show({
    message,
    color: 'yellow',
    role: 'alert',
    withBorder: true,
    closeButtonProps: CLOSE,
    autoClose: 10_000,
  });
}

/** Shows an error message, for failures that no form shows. */
export function showFailure(error: unknown): void {
  const { message } = asFailure(error);
  notifications.show({
    title: 'Something went wrong',
    message,
    color: 'red',
    role: 'alert',
    withBorder: true,
    closeButtonProps: CLOSE,
    autoClose: 10_000,
  });
}
