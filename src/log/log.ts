import { pino, type Logger } from 'pino';
import type { Environment } from '../config/environment.js';

/** The structured log: one JSON object a line on standard output. Never given keys, secrets or content. */
export abstract class Log {
  abstract debug(fields: object, message: string): void;
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
}

/**
 * A pino logger that writes in the background, many lines at once: a slow terminal or pipe must not hold requests up. A
 * line waits a fifth of a second at most.
 */
export function createLog(level: Environment['LOG_LEVEL']): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({
      sync: false,
      minLength: 4_096,
      periodicFlush: 200,
      // What a stuck pipe does not take is dropped: the log must not fill the memory.
      maxLength: 16 * 1024 ** 2,
    }),
  );
}

/** Resolves when everything logged so far is written; for the end of the process. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => {
      resolve();
    });
  });
}

/**
 * What may be logged of an error. Never its other properties: those of PostgreSQL and TypeORM hold rows and parameters,
 * and with them what customers wrote.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return { type: error.name, code, message: error.message, stack: error.stack };
}
