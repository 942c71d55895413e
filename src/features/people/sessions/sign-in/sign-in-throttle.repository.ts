import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { clientNetwork } from '../../../../platform/network/client-address.js';

const MINUTE_MS = 60_000;

/** The size of a burst of attempts, and the time after which one of them no longer counts. */
const LIMITS = {
  /** Many people can share an address. */
  address: { burst: 30, leakMs: MINUTE_MS / 2 },
  /** Counts attempts from all addresses, so that a password cannot be guessed from many addresses at once. */
  email: { burst: 10, leakMs: MINUTE_MS },
  /** A code has a million possible values, and several are valid at a time. */
  code: { burst: 10, leakMs: 5 * MINUTE_MS },
  /** New users from one address. */
  signUp: { burst: 20, leakMs: 3 * MINUTE_MS },
  /** Password links requested from one address. */
  passwordLink: { burst: 20, leakMs: 3 * MINUTE_MS },
  /** E-mails to one mailbox, from any account. */
  mailRecipient: { burst: 5, leakMs: 60 * MINUTE_MS },
  /** E-mails sent by an account on the Free plan, so that it cannot send bulk mail. */
  mailFreeAccount: { burst: 10, leakMs: 60 * MINUTE_MS },
  mailAccount: { burst: 50, leakMs: 6 * MINUTE_MS },
  /** E-mails sent for one network. A network can have many accounts. */
  mailNetwork: { burst: 50, leakMs: 6 * MINUTE_MS },
} as const;

/** A limited key: a client's network, an e-mail address, an account, or the codes of a user. */
export type Limited = readonly [kind: keyof typeof LIMITS, value: string];

/** Replica clocks differ from the database clock by seconds at most. */
const TOLERANCE_MS = MINUTE_MS;

/**
 * When the bucket was or will be empty. If a bucket is fuller than its capacity, it was filled before the database clock
 * went back.
 */
const FILLED_TO = `CASE WHEN kept.empty_at > $2::timestamptz + ($3::double precision * $4::integer + ${String(TOLERANCE_MS)}) * interval '1 millisecond'
         THEN $2::timestamptz ELSE greatest(kept.empty_at, $2::timestamptz) END`;

/** Takes an attempt from the leaky bucket, or none if it is full. Atomic for concurrent attempts. */
const TAKE: Statement = {
  name: 'sessions.take-attempt',
  text: `INSERT INTO sign_in_attempts AS kept (bucket, empty_at)
         VALUES ($1, $2::timestamptz + $3::double precision * interval '1 millisecond')
         ON CONFLICT (bucket) DO UPDATE
           SET empty_at = ${FILLED_TO} + $3::double precision * interval '1 millisecond'
         WHERE ${FILLED_TO} <= $2::timestamptz + $3::double precision * ($4::integer - 1) * interval '1 millisecond'
         RETURNING true AS taken`,
};

const GIVE_BACK: Statement = {
  name: 'sessions.give-back-attempt',
  text: `UPDATE sign_in_attempts SET empty_at = empty_at - $2::double precision * interval '1 millisecond' WHERE bucket = $1`,
};

const EMPTY_AT: Statement = {
  name: 'sessions.attempts-empty-at',
  text: 'SELECT empty_at AS "emptyAt" FROM sign_in_attempts WHERE bucket = $1',
};

/**
 * Limits failed sign-in attempts across all replicas. An attempt is counted before it is made, so concurrent attempts
 * cannot exceed the limit. It is given back if it succeeds.
 */
@Injectable()
export class SignInThrottleRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes one attempt from each key. Throws `rate_limited` if one has none left. */
  async take(...all: readonly Limited[]): Promise<void> {
    const now = this.clock.now();
    for (const limited of all) {
      const { burst, leakMs } = LIMITS[limited[0]];
      const bucket = bucketOf(limited);
      const values = [bucket, now, leakMs, burst];
      const taken = await this.database.run(TAKE, values);
      if (taken.length > 0) continue;
      const [row] = await this.database.run<{ emptyAt: Date }>(EMPTY_AT, [bucket]);
      const emptyInMs = (row?.emptyAt.getTime() ?? 0) - now.getTime();
      throw tooManyAttempts(emptyInMs - (burst - 1) * leakMs);
    }
  }

  /** Gives back attempts that did not fail. */
  async giveBack(...all: readonly Limited[]): Promise<void> {
    for (const limited of all) {
      const values = [bucketOf(limited), LIMITS[limited[0]].leakMs];
      await this.database.run(GIVE_BACK, values);
    }
  }
}

/** Returns the limited network of a client. Clients without a known address share one limit. */
export function networkOf(clientAddress: string | null): string {
  return clientNetwork(clientAddress ?? 'unknown');
}

export function tooManyAttempts(waitMs: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  const wait = retryAfter === 1 ? '1 second' : `${String(retryAfter)} seconds`;
  return new AppError(
    'rate_limited',
    `Too many failed attempts. Try again in ${wait}.`,
    { retryAfter },
    { retryAfterSeconds: retryAfter },
  );
}

function bucketOf([kind, value]: Limited): Buffer {
  return createHash('sha256').update(`${kind}:${value}`).digest();
}
