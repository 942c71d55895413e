import { AppError, invalidFields } from '../../../src/platform/basics/errors/app-error.js';

/** The file that was sent cannot be read; `issue` continues "file: " and says what to do. */
export function unreadableFile(issue: string): AppError {
  return invalidFields([{ field: 'file', issue }]);
}

/** The conversion ran out of time or memory, which a smaller document would not. */
export function tooDemanding(what: string): AppError {
  return new AppError(
    'unprocessable',
    `This document ${what}. Split it into smaller ones, or choose a simpler format.`,
  );
}

/** Too many conversions are waiting already. */
export function conversionsBusy(): AppError {
  return new AppError(
    'unavailable',
    'Too many documents are being converted right now. Try again shortly.',
    undefined,
    { retryAfterSeconds: 5 },
  );
}
