import { Injectable } from '@nestjs/common';
import { currentTime } from './current-time.js';

/**
 * The time by the database's clock (docs/adr/0073-one-clock.md). Injected everywhere, so that tests can stop and advance
 * it.
 */
@Injectable()
export class Clock {
  now(): Date {
    return new Date(currentTime());
  }
}
