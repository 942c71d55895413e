import type { ConversionError } from '@document-service/conversion/conversion-errors';
import { AppError, invalidFields } from '../../../platform/basics/errors/app-error.js';

/** Returns the API error for a failed conversion. */
export function refusal({ kind, detail }: Pick<ConversionError, 'kind' | 'detail'>): AppError {
  return kind === 'unreadable' ? unreadableFile(detail) : tooDemanding(detail);
}

/** Returns the error for an unreadable file. `issue` completes "file: …" and says what to do. */
export function unreadableFile(issue: string): AppError {
  return invalidFields([{ field: 'file', issue }]);
}

/** Returns the error for a conversion that exceeds its limits. `what` completes "This document …". */
export function tooDemanding(what: string): AppError {
  return new AppError(
    'unprocessable',
    `This document ${what}. Split it into smaller ones, or choose a simpler format.`,
  );
}

/** Returns the error for a full queue. */
export function conversionsBusy(): AppError {
  return new AppError(
    'unavailable',
    'Too many documents are being converted right now. Try again shortly.',
    undefined,
    { retryAfterSeconds: 5 },
  );
}
