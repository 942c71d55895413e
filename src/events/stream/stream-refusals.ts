import { AppError, invalidFields } from '../../errors/app-error.js';

/** Most open streams of an account in one process. */
export const MAX_STREAMS_PER_ACCOUNT = 20;
/** Most open streams of one process. */
export const MAX_STREAMS = 1_000;

const RETRY_AFTER_SECONDS = 10;

/** The answer to a stream beyond {@link MAX_STREAMS_PER_ACCOUNT}. */
export function tooManyStreams(): AppError {
  const limit = MAX_STREAMS_PER_ACCOUNT;
  return new AppError(
    'rate_limited',
    `This account has ${String(limit)} open streams, the most it may have. Close one that is not needed, or share one.`,
    { limit, retryAfter: RETRY_AFTER_SECONDS },
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** The answer to a stream beyond {@link MAX_STREAMS}. */
export function streamsAreFull(): AppError {
  return new AppError(
    'unavailable',
    'This process has as many open streams as it can hold. Try again shortly.',
    undefined,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** The answer to a `Last-Event-ID` from which nothing can be resumed: to go on from elsewhere would leave a gap. */
export function unknownLastEvent(): AppError {
  return invalidFields([
    {
      field: 'Last-Event-ID',
      issue:
        'names no event that is kept; read what you missed by GET /v1/events, and open the stream without this header',
    },
  ]);
}
