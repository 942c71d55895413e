import { type DynamicModule, Global, type LoggerService, Module } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { redactSecretsInJson } from '../basics/redact-secrets.js';
import type { Environment, LogFormat } from '../config/environment.js';
import { readableLine } from './readable-line.js';

/** The structured log: one JSON object or readable line per entry on standard output. Never log content; secrets are redacted. */
export abstract class Log {
  abstract debug(fields: object, message: string): void;
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
}

/** Outputs whose last write failed, such as on a full disk. */
const BROKEN_OUTPUTS = new Set<{ destroy(): void }>();

// This must run before pino's listener, which would otherwise try forever to write the rest.
process.once('exit', () => {
  for (const output of BROKEN_OUTPUTS) output.destroy();
});

/**
 * Creates a pino logger that writes many lines at once in the background, so that a slow terminal or pipe does not
 * delay requests. A line waits at most 0.2 seconds.
 */
export function createLog(level: Environment['LOG_LEVEL'], format: LogFormat = 'json'): Logger {
  const output = pino.destination({
    sync: false,
    minLength: 4_096,
    periodicFlush: 200,
    // If a pipe is stuck, lines beyond this size are dropped, so that the log does not fill the memory.
    maxLength: 16 * 1024 ** 2,
  });
  // A full disk loses log lines, but does not stop the service.
  output.on('error', () => BROKEN_OUTPUTS.add(output));
  output.on('write', () => BROKEN_OUTPUTS.delete(output));
  const inColor = process.stdout.isTTY && process.stdout.hasColors();
  const readable = (json: string) => readableLine(redactSecretsInJson(json), inColor);
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: format === 'json' ? redactSecretsInJson : readable },
    },
    output,
  );
}

/** Maximum time to wait at the end of the process. A full disk or a stuck pipe never accepts the rest. */
const FLUSH_WITHIN_MS = 2_000;

/** Resolves when all log lines are written or cannot be written. */
export function flushLog(log: Pick<Logger, 'flush'>): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_WITHIN_MS);
    log.flush(() => {
      resolve();
    });
  });
}

/**
 * Returns the loggable fields of an error. Other properties of PostgreSQL and TypeORM errors contain rows and
 * parameters, and thus customer content.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return { type: error.name, code, message: error.message, stack: error.stack };
}

/** Provides the log of the process for injection. */
@Global()
@Module({})
export class LogModule {
  static forRoot(log: Log): DynamicModule {
    return { module: LogModule, providers: [{ provide: Log, useValue: log }], exports: [Log] };
  }
}

/** Writes messages of the framework to the structured log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  /** The framework logs every route at this level. */
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
