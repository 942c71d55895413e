import { type DynamicModule, Global, type LoggerService, Module } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { redactSecretsInJson } from '../basics/redact-secrets.js';
import type { Environment } from '../config/environment.js';

/** The structured log: one JSON object a line on standard output. Never pass content; secrets are redacted. */
export abstract class Log {
  abstract debug(fields: object, message: string): void;
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
}

/** Outputs whose last write failed, such as on a full disk. */
const BROKEN_OUTPUTS = new Set<{ destroy(): void }>();

// Before pino's own listener, which would try to write the rest forever.
process.once('exit', () => {
  for (const output of BROKEN_OUTPUTS) output.destroy();
});

/**
 * A pino logger that writes in the background, many lines at once: a slow terminal or pipe must not hold requests up. A
 * line waits a fifth of a second at most.
 */
export function createLog(level: Environment['LOG_LEVEL']): Logger {
  const output = pino.destination({
    sync: false,
    minLength: 4_096,
    periodicFlush: 200,
    // What a stuck pipe does not take is dropped: the log must not fill the memory.
    maxLength: 16 * 1024 ** 2,
  });
  // A full disk costs lines, not the service.
  output.on('error', () => BROKEN_OUTPUTS.add(output));
  output.on('write', () => BROKEN_OUTPUTS.delete(output));
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactSecretsInJson },
    },
    output,
  );
}

/** A full disk or a stuck pipe never takes the rest; the end of the process must not wait for it. */
const FLUSH_WITHIN_MS = 2_000;

/** Resolves when everything logged so far is written, or cannot be; for the end of the process. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_WITHIN_MS);
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

/** Hands the process' one log to everything that is injected. */
@Global()
@Module({})
export class LogModule {
  static of(log: Log): DynamicModule {
    return { module: LogModule, providers: [{ provide: Log, useValue: log }], exports: [Log] };
  }
}

/** Lets what the framework and its modules log join the structured log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  /** The framework tells its every route at this level. */
  log(message: unknown, context?: string): void {
    this.target.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.target.warn({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.target.error({ context: rest.at(-1) }, String(message));
  }
}
