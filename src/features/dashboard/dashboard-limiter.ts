import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/basics/clock/clock.js';
import { ClientLimiter } from '../../platform/network/client-limiter.js';

/**
 * Limits requests of the dashboard that need no account: each costs a look-up, and a session or token can be made up. The
 * pages of a whole office stay below it. What members do in an account has a limit of its own per user.
 */
@Injectable()
export class DashboardLimiter extends ClientLimiter {
  constructor(clock: Clock) {
    const sentence = 'Too many requests came from your network. Wait a moment and try again.';
    super({ burst: 600, perSecond: 30, message: sentence }, clock);
  }
}
