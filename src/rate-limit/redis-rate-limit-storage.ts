import type { Redis } from 'ioredis';
import type { WindowLimits } from '../auth/plan.js';
import type { RateLimitStorage, Take } from './rate-limit-storage.js';
import { TAKE_SCRIPT } from './redis-take-script.js';

type Answer = [
  admitted: number,
  now: number,
  minuteUsed: number,
  minuteResetAt: number,
  hourUsed: number,
  hourResetAt: number,
  dayUsed: number,
  dayResetAt: number,
];

interface ScriptedRedis {
  takeRateLimit(key: string, minute: string, hour: string, day: string): Promise<Answer>;
}

/** Counts in one hash per account, by one script on Redis's clock; a hash leaves with the day it counted. */
export class RedisRateLimitStorage implements RateLimitStorage {
  private readonly scripts: ScriptedRedis;
  private connectionError: Error | undefined;

  /** `answerWithinMs`: a take that waits longer for Redis rejects. */
  constructor(
    private readonly client: Redis,
    private readonly answerWithinMs = 250,
  ) {
    client.defineCommand('takeRateLimit', { numberOfKeys: 1, lua: TAKE_SCRIPT });
    this.scripts = client as unknown as ScriptedRedis;
    client.on('error', (error: Error) => {
      this.connectionError = error;
    });
    client.on('ready', () => {
      this.connectionError = undefined;
    });
  }

  async take(accountId: string, limits: WindowLimits): Promise<Take> {
    // Without a connection ioredis would only say that its stream is not writable; the operator needs the cause.
    if (this.client.status !== 'ready') throw this.connectionError ?? new Error('not connected');
    const answer = await this.inTime(
      this.scripts.takeRateLimit(
        `rate-limit:${accountId}`,
        argument(limits.minute),
        argument(limits.hour),
        argument(limits.day),
      ),
    );
    return {
      admitted: answer[0] === 1,
      now: answer[1],
      windows: {
        minute: { used: answer[2], resetAt: answer[3] },
        hour: { used: answer[4], resetAt: answer[5] },
        day: { used: answer[6], resetAt: answer[7] },
      },
    };
  }

  private inTime(answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // After a long pause of this process timers run before sockets are read: one more turn lets an answer that is
        // already here win.
        setImmediate(() => {
          if (settled) return;
          reject(new Error(`no answer within ${String(this.answerWithinMs)} ms`));
          // The connection may be dead without either side knowing; a new one is certain.
          this.client.disconnect(true);
        });
      }, this.answerWithinMs);
      let settled = false;
      answer.then(resolve, reject).finally(() => {
        settled = true;
        clearTimeout(timer);
      });
    });
  }
}

function argument(limit: number | null): string {
  return limit === null ? '' : String(limit);
}
