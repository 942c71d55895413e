import { isNativeError } from 'node:util/types';

/** The error that says something: Node reports a refused dual-stack connection as an aggregate without words. */
export function firstFailure(error: unknown): unknown {
  if (!isNativeError(error) || error.message !== '') return error;
  const { errors } = error as { errors?: unknown[] };
  return errors?.[0] === undefined ? error : firstFailure(errors[0]);
}

/** Why it failed: the first line of the error's own words, or its code when it has none; without a full stop. */
export function reasonOf(error: unknown): string {
  const failure = firstFailure(error);
  if (!isNativeError(failure)) return String(failure);
  const { code = failure.name } = failure as { code?: unknown };
  const [line = ''] = failure.message.split('\n');
  return line.replace(/\.$/, '') || String(code);
}
