import { AppError, type ErrorDetails, type ErrorKind } from '../../errors/app-error.js';
import { asUnavailable } from '../../errors/database-error.js';

/** An error as one thread tells it to another: messages carry no classes. */
export type ToldError =
  | { kind: ErrorKind; message: string; details: ErrorDetails | undefined }
  | { message: string; stack: string | undefined };

/** What is to be told of an error. */
export function toldError(error: unknown): ToldError {
  const known = asUnavailable(error) ?? error;
  if (known instanceof AppError) {
    const { kind, message, details } = known;
    return { kind, message, details };
  }
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  return { message: error.message, stack: error.stack };
}

/** The error that was told. */
export function errorOf(told: ToldError): Error {
  if ('kind' in told) return new AppError(told.kind, told.message, told.details);
  return Object.assign(
    new Error(told.message),
    told.stack === undefined ? {} : { stack: told.stack },
  );
}
