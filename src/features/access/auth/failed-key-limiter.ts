import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { ClientLimiter } from '../../../platform/network/client-limiter.js';

/** Limits wrong keys. Only failures are counted, so a valid key from the same address always passes. */
@Injectable()
export class FailedKeyLimiter extends ClientLimiter {
  constructor(clock: Clock) {
    const sentence =
      'Too many wrong API keys came from your address. Check the key and wait a moment.';
    super({ burst: 100, perSecond: 10, message: sentence }, clock);
  }
}
