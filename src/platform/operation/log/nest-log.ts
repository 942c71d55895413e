import type { LoggerService } from '@nestjs/common';
import type { Log } from './log.js';

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
