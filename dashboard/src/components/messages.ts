import { notifications } from '@mantine/notifications';
import { asFailure } from '../api/failure.js';

const CLOSE = { 'aria-label': 'Close' };

/** Says that something was done. */
export function showDone(message: string): void {
  notifications.show({
    message,
    closeButtonProps: CLOSE,
    color: 'green',
    role: 'status',
    withBorder: true,
  });
}

/** Says that something failed, for failures that no form shows. */
export function showFailure(error: unknown): void {
  const { message, requestId } = asFailure(error);
  notifications.show({
    title: 'This did not work',
    message: requestId === undefined ? message : `${message} (${requestId})`,
    color: 'red',
    role: 'alert',
    withBorder: true,
    autoClose: 10_000,
    closeButtonProps: CLOSE,
  });
}
