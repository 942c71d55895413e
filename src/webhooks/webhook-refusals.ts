import { AppError } from '../errors/app-error.js';

/** The answer to sending something to a webhook that is disabled. */
export function webhookIsDisabled(): AppError {
  return new AppError(
    'conflict',
    'This webhook is disabled, and nothing is sent to it. Enable it first: change its status to active.',
    { field: 'status', issue: 'is disabled' },
  );
}
