import type { ConversionError } from '@document-service/conversion/conversion-errors';
import { AppError, invalidFields } from '../../../../platform/basics/errors/app-error.js';

/** Returns the API error for a failed conversion. */
export function refusal({ kind, detail }: Pick<ConversionError, 'kind' | 'detail'>): AppError {
  return kind === 'unreadable' ? unreadableFile(detail) : tooDemanding(detail);
}

/** `issue` continues "file: " and says what to do. */
export function unreadableFile(issue: string): AppError {
  return invalidFields([{ field: 'file', issue }]);
}

/** `what` continues "This document ". */
export function tooDemanding(what: string): AppError {
  return new AppError(
    'unprocessable',
    `This document ${what}. Split it into smaller ones, or choose a simpler format.`,
  );
}

/** Too many conversions are queued. */
export function conversionsBusy(): AppError {
  return new AppError(
    'unavailable',
    'Too many documents are being converted right now. Try again shortly.',
    undefined,
    { retryAfterSeconds: 5 },
  );
}
