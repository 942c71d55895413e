import type { LoggerService } from '@nestjs/common';
import type { Log } from './log.js';

/** Lets what the framework and its modules log join the structured log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(message: unknown, context?: string): void {
    this.target.info({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.target.warn({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.target.error({ context: rest.at(-1) }, String(message));
  }
}
