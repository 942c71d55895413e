import type { Redis } from 'ioredis';
import { WINDOWS, type Window, type WindowLimits } from '../auth/plan.js';
import { within } from '../../platform/basics/clock/time-limit.js';
import type { RateLimitLedger, WindowCount, WindowCounts } from './rate-limit.repository.js';
import type { RateLimitStorage, Take, WindowState } from './rate-limit-storage.js';
import { TAKE_SCRIPT, TAKE_STATUS } from './redis-take-script.js';

interface ScriptedRedis {
  takeRateLimit(key: string, ...values: (string | number)[]): Promise<number[]>;
}

/** Time in ms allowed for Redis's reply to arrive. Redis rejects a request that it reads too late for that. */
const MAX_REPLY_DELAY_MS = 50;

/** Redis did not respond in time or returned an error, so the caller counts in PostgreSQL. */
export class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError';
}

/**
 * Counts in one hash per account, with one script and Redis's clock. A hash expires with its day window. Each tenth of a
 * limit is settled with PostgreSQL, which also supplies windows missing here: docs/adr/0008-rate-limits-and-quotas.md.
 */
export class RedisRateLimitStorage implements RateLimitStorage {
  /** Commands since startup: those that Redis answered in time, those that failed, and the total seconds of both. */
  readonly commands = { answered: 0, failed: 0, seconds: 0 };
  private readonly scripts: ScriptedRedis;
  private connectionError: Error | undefined;
  /** Run id of the connected server, which changes at each restart. */
  private life: Promise<string> | undefined;
  /** Redis's clock minus this process's monotonic clock, or slightly less. */
  private clockOffset: number | undefined;

  /** `answerWithinMs`: maximum time to wait for Redis. */
  constructor(
    private readonly client: Redis,
    private readonly ledger: Pick<RateLimitLedger, 'settle'>,
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
    client.on('close', () => {
      this.life = undefined;
    });
  }

  /** Rejects with a {@link RedisAwayError}, or with the pg error if settling with PostgreSQL failed. */
  async take(accountId: string, limits: WindowLimits): Promise<Take> {
    let answer = await this.run(accountId, limits, 1);
    if (answer[0] === TAKE_STATUS.unknown) {
      const known = await this.ledger.settle(accountId, unsettledIn(answer));
      answer = await this.run(accountId, limits, 1, known);
    }
    if (answer.length > SETTLED_LENGTH) {
      const known = await this.ledger.settle(accountId, unsettledIn(answer));
      // If this fails, the next settlement updates Redis.
      await this.run(accountId, limits, 0, known).catch(() => undefined);
    }
    return takeOf(answer);
  }

  /** Rejects as {@link take} does. */
  async look(accountId: string, limits: WindowLimits): Promise<Take> {
    let answer = await this.run(accountId, limits, 0);
    if (answer[0] === TAKE_STATUS.unknown) {
      const known = await this.ledger.settle(accountId, unsettledIn(answer));
      answer = await this.run(accountId, limits, 0, known);
    }
    return takeOf(answer);
  }

  private async run(
    accountId: string,
    limits: WindowLimits,
    requests: 0 | 1,
    known?: WindowCounts,
  ): Promise<number[]> {
    // ioredis would report only that its stream is not writable. The operator needs the cause.
    if (this.client.status !== 'ready') {
      throw new RedisAwayError(this.connectionError?.message ?? 'not connected');
    }
    this.life ??= this.readLife();
    const life = await this.life;
    const answer = await this.inTime(
      this.scripts.takeRateLimit(
        `rate-limits:${accountId}`,
        requests,
        ...WINDOWS.map((window) => limits[window] ?? ''),
        life,
        this.latest(),
        ...(known === undefined ? [] : WINDOWS.flatMap((window) => argumentsOf(known[window]))),
      ),
    );
    this.clockOffset = (answer[1] ?? 0) - performance.now();
    if (answer[0] === TAKE_STATUS.late) throw new RedisAwayError('it read the request too late');
    return answer;
  }

  /** Returns the time on Redis's clock after which this process no longer waits for the reply. */
  private latest(): number | '' {
    if (this.clockOffset === undefined) return '';
    return (
      Math.floor(performance.now() + this.clockOffset) + this.answerWithinMs - MAX_REPLY_DELAY_MS
    );
  }

  /** Reads the server's run id; empty if the operator forbids INFO, so restarts go undetected. */
  private async readLife(): Promise<string> {
    const info = await this.inTime(this.client.info('server').catch(() => ''));
    return /^run_id:(\w+)/m.exec(info)?.[1] ?? '';
  }

  private async inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const begun = performance.now();
    try {
      const answered = await within(this.answerWithinMs, answer, () => {
        // The connection may be half-open, so replace it.
        this.client.disconnect(true);
        return new Error(`no response within ${String(this.answerWithinMs)} ms`);
      });
      this.commands.answered += 1;
      return answered;
    } catch (error) {
      this.commands.failed += 1;
      throw new RedisAwayError((error as Error).message, { cause: error });
    } finally {
      this.commands.seconds += (performance.now() - begun) / 1000;
    }
  }
}

/** Length of a reply with nothing to settle. */
const SETTLED_LENGTH = 8;

function takeOf([status, now = 0, ...windows]: readonly number[]): Take {
  const state = (place: number): WindowState => ({
    used: windows[place] ?? 0,
    resetAt: windows[place + 1] ?? 0,
  });
  return {
    admitted: status === TAKE_STATUS.admitted,
    now,
    windows: { minute: state(0), hour: state(2), day: state(4) },
  };
}

function unsettledIn(answer: readonly number[]): WindowCounts {
  const counts = answer.slice(SETTLED_LENGTH);
  const window = (place: number): WindowCount => {
    const ageMs = counts[place + 1] ?? -1;
    return { count: counts[place] ?? 0, ageMs: ageMs < 0 ? null : ageMs };
  };
  return { minute: window(0), hour: window(2), day: window(4) } satisfies Record<Window, object>;
}

function argumentsOf({ count, ageMs }: WindowCount): [number, number | ''] {
  return [count, ageMs === null ? '' : Math.round(ageMs)];
}
