import { AppError } from '../errors/app-error.js';

/** Most webhooks of an account: every event writes a delivery for each of them in the statement of the change itself. */
export const MAX_WEBHOOKS = 100;

/** The answer to a registration beyond {@link MAX_WEBHOOKS}. */
export function tooManyWebhooks(): AppError {
  return new AppError(
    'conflict',
    `This account has ${String(MAX_WEBHOOKS)} webhooks, the most it may have. Delete one that is not needed any more.`,
  );
}
