import { isNativeError } from 'node:util/types';
import { troubleOf } from '../../platform/basics/errors/database-error.js';
import type { Log } from '../../platform/operation/log/log.js';

/**
 * The last to hear of an error, after everybody who should have. A connection that broke is logged: whoever used it sees
 * its own failure, and the process goes on. After anything else nobody knows what state the process is in: `end` is
 * called, once.
 */
export function hearUncaughtErrors(log: Log, end: () => void): void {
  let ending = false;
  const hear = (error: unknown) => {
    if (isBrokenConnection(error)) {
      log.error({ err: error }, 'A connection broke and nobody listened; the service goes on.');
      return;
    }
    log.error({ err: error }, 'Something unforeseen went wrong; the process ends.');
    if (!ending) end();
    ending = true;
  };
  process.on('uncaughtException', hear);
  process.on('unhandledRejection', hear);
}

/** To PostgreSQL or Redis. ioredis has no codes of its own. */
function isBrokenConnection(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  return (
    troubleOf(error) === 'unreachable' ||
    error.name === 'MaxRetriesPerRequestError' ||
    error.message.startsWith('Connection is closed')
  );
}
