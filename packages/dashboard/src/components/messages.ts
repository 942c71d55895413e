import { notifications } from '@mantine/notifications';
import { asFailure } from '../api/failure.js';

const CLOSE = { 'aria-label': 'Dismiss message' };

export function showDone(message: string): void {
  notifications.show({
    message,
    color: 'green',
    role: 'status',
    withBorder: true,
    closeButtonProps: CLOSE,
  });
}

/** Shows what was skipped by an action that otherwise succeeded. */
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

interface Warning {
  field: string;
  issue: string;
}

const FIELDS: Partial<Record<string, string>> = { url: 'URL', events: 'Events', secret: 'Secret' };

/** Shows likely mistakes in a request that succeeded: "URL is also the URL of …". */
export function showWarnings(warnings: readonly Warning[] | undefined): void {
  for (const { field, issue } of warnings ?? []) showNotice(`${FIELDS[field] ?? field} ${issue}.`);
}

/** Shows an error message, for failures outside of forms. */
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
