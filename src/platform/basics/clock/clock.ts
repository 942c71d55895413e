import { Global, Injectable, Module } from '@nestjs/common';
import { currentTime } from './current-time.js';

/**
 * The time of the database's clock (docs/adr/0012-outages-time-limits-and-clocks.md). Always injected, so tests can stop
 * and advance it.
 */
@Injectable()
export class Clock {
  now(): Date {
    return new Date(currentTime());
  }
}

@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
