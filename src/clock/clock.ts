import { Injectable } from '@nestjs/common';

/** The time. Injected everywhere, so that tests can stop and advance it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
