import type { Redis } from 'ioredis';
import { WINDOWS, type Window, type WindowLimits } from '../auth/plan.js';
import { within } from '../../../platform/basics/clock/time-limit.js';
import type { RateLimitLedger, WindowCount, WindowCounts } from './rate-limit-ledger.js';
import type { RateLimitStorage, Take, WindowState } from './rate-limit-storage.js';
import { TAKE_SCRIPT, TAKE_STATUS } from './redis-take-script.js';

interface ScriptedRedis {
  takeRateLimit(key: string, ...values: (string | number)[]): Promise<number[]>;
}

/** Time that Redis' answer may take to arrive, in milliseconds: a request that Redis takes later is void. */
const LONGEST_WAY_BACK_MS = 50;

/** Redis did not answer, or not as it should; whoever counts there counts elsewhere. */
export class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError';
}

/**
 * Counts in one hash per account, by one script on Redis' clock; a hash leaves with the day it counted. PostgreSQL is
 * told whenever a tenth of a limit was counted here only, and asked for windows that are not here: docs/adr/0008-rate-limits-and-quotas.md.
 */
export class RedisRateLimitStorage implements RateLimitStorage {
  /** Since the start: commands that Redis answered in time and those it did not, and the seconds of both. */
  readonly commands = { answered: 0, failed: 0, seconds: 0 };
  private readonly scripts: ScriptedRedis;
  private connectionError: Error | undefined;
  /** Of the server that is connected, another one after each of its starts. */
  private life: Promise<string> | undefined;
  /** Redis' clock less the monotonic one of this process, or a little less. */
  private clockOffset: number | undefined;

  /** `answerWithinMs`: a take that waits longer for Redis rejects. */
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

  /** Rejects with a {@link RedisAwayError}, or with the pg error where PostgreSQL had to be told or asked. */
  async take(accountId: string, limits: WindowLimits): Promise<Take> {
    let answer = await this.run(accountId, limits, 1);
    if (answer[0] === TAKE_STATUS.unknown) {
      const known = await this.ledger.settle(accountId, unsettledIn(answer));
      answer = await this.run(accountId, limits, 1, known);
    }
    if (answer.length > SETTLED_LENGTH) {
      const known = await this.ledger.settle(accountId, unsettledIn(answer));
      // Without it the next settlement tells Redis.
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
    // Without a connection ioredis would only say that its stream is not writable; the operator needs the cause.
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
    if (answer[0] === TAKE_STATUS.late) throw new RedisAwayError('it took the request too late');
    return answer;
  }

  /** The time of Redis' clock after which this process does not wait for the answer to what it asks now. */
  private latest(): number | '' {
    if (this.clockOffset === undefined) return '';
    return (
      Math.floor(performance.now() + this.clockOffset) + this.answerWithinMs - LONGEST_WAY_BACK_MS
    );
  }

  /** Its run id. Where the operator forbids asking for it, lives are not told apart. */
  private async readLife(): Promise<string> {
    const info = await this.inTime(this.client.info('server').catch(() => ''));
    return /^run_id:(\w+)/m.exec(info)?.[1] ?? '';
  }

  private async inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const begun = performance.now();
    try {
      const answered = await within(this.answerWithinMs, answer, () => {
        // The connection may be dead without either side knowing; a new one is certain.
        this.client.disconnect(true);
        return new Error(`no answer within ${String(this.answerWithinMs)} ms`);
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

/** Numbers in an answer that leaves nothing to settle. */
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
