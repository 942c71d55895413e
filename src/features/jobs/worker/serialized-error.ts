import {
  AppError,
  type ErrorDetails,
  type ErrorKind,
} from '../../../platform/basics/errors/app-error.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';

/** An error as one thread tells it to another: messages carry no classes. */
export type SerializedError =
  | { kind: ErrorKind; message: string; details: ErrorDetails | undefined }
  | { message: string; stack: string | undefined };

export function serializeError(error: unknown): SerializedError {
  const known = asUnavailable(error) ?? error;
  if (known instanceof AppError) {
    const { kind, message, details } = known;
    return { kind, message, details };
  }
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  return { message: error.message, stack: error.stack };
}

export function deserializeError(serialized: SerializedError): Error {
  if ('kind' in serialized) {
    return new AppError(serialized.kind, serialized.message, serialized.details);
  }
  const { message, stack } = serialized;
  return Object.assign(new Error(message), stack === undefined ? {} : { stack });
}
