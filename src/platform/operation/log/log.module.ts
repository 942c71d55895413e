import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Log } from './log.js';

/** Hands the process' one log to everything that is injected. */
@Global()
@Module({})
export class LogModule {
  static of(log: Log): DynamicModule {
    return { module: LogModule, providers: [{ provide: Log, useValue: log }], exports: [Log] };
  }
}
