import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { createLog, Log } from './log.js';

@Global()
@Module({
  providers: [
    { provide: Log, inject: [Config], useFactory: (config: Config) => createLog(config.logLevel) },
  ],
  exports: [Log],
})
export class LogModule {}
