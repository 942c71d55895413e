import { isNativeError } from 'node:util/types';

/**
 * Returns the first error with a message. Node reports a refused dual-stack connection as an aggregate without a message.
 */
export function firstFailure(error: unknown): unknown {
  if (!isNativeError(error) || error.message !== '') return error;
  const { errors } = error as { errors?: unknown[] };
  return errors?.[0] === undefined ? error : firstFailure(errors[0]);
}

/** Returns the first line of the error message without its period, or the error code if there is no message. */
export function reasonOf(error: unknown): string {
  const failure = firstFailure(error);
  if (!isNativeError(failure)) return String(failure);
  const { code = failure.name } = failure as { code?: unknown };
  const [line = ''] = failure.message.split('\n');
  return line.replace(/\.$/, '') || String(code);
}
