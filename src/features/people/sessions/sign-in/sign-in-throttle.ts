import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { clientNetwork } from '../../../../platform/network/client-address.js';

const MINUTE_MS = 60_000;

/** How many attempts may fail in one go, and after how long each is forgotten. */
const LIMITS = {
  /** Many people may share an address. */
  address: { burst: 30, forgottenAfterMs: MINUTE_MS / 2 },
  /** Whatever the addresses: a password cannot be guessed from everywhere at once. */
  email: { burst: 10, forgottenAfterMs: MINUTE_MS },
  /** A code has a million values, and several are valid at a time. */
  code: { burst: 10, forgottenAfterMs: 5 * MINUTE_MS },
  /** New users of an address. */
  signUp: { burst: 20, forgottenAfterMs: 3 * MINUTE_MS },
  /** Mails to one mailbox, whoever has them sent. */
  mailRecipient: { burst: 5, forgottenAfterMs: 60 * MINUTE_MS },
  /** Mails that an account on the plan Free has sent: strangers must not get our mail in bulk. */
  mailFreeAccount: { burst: 10, forgottenAfterMs: 60 * MINUTE_MS },
  mailAccount: { burst: 50, forgottenAfterMs: 6 * MINUTE_MS },
  /** Mails sent for one network, which can have many accounts. */
  mailNetwork: { burst: 50, forgottenAfterMs: 6 * MINUTE_MS },
} as const;

/** What is limited: a client's network, an e-mail address, an account, or the codes of a user. */
export type Limited = readonly [kind: keyof typeof LIMITS, value: string];

/** Clocks of replicas follow the database's within seconds. */
const TOLERANCE_MS = MINUTE_MS;

/** Since when the bucket counts: one that is fuller than full was filled before the database's clock went back. */
const FILLED_TO = `CASE WHEN kept.empty_at > $2::timestamptz + ($3::double precision * $4::integer + ${String(TOLERANCE_MS)}) * interval '1 millisecond'
         THEN $2::timestamptz ELSE greatest(kept.empty_at, $2::timestamptz) END`;

/** Takes an attempt (a "leaky bucket"), or none where there is no room. One step, also for attempts that race. */
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
 * Limits failed attempts to sign in over all replicas. An attempt is taken before it is made, so that a thousand at once
 * are no way around the limit, and given back when it succeeds.
 */
@Injectable()
export class SignInThrottle {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes an attempt of each. Throws `rate_limited` where one has none left. */
  async take(...all: readonly Limited[]): Promise<void> {
    const now = this.clock.now();
    for (const limited of all) {
      const { burst, forgottenAfterMs } = LIMITS[limited[0]];
      const bucket = bucketOf(limited);
      const values = [bucket, now, forgottenAfterMs, burst];
      const taken = await this.database.run(TAKE, values);
      if (taken.length > 0) continue;
      const [row] = await this.database.run<{ emptyAt: Date }>(EMPTY_AT, [bucket]);
      const emptyInMs = (row?.emptyAt.getTime() ?? 0) - now.getTime();
      throw tooManyAttempts(emptyInMs - (burst - 1) * forgottenAfterMs);
    }
  }

  /** Gives the attempts back: they did not fail. */
  async giveBack(...all: readonly Limited[]): Promise<void> {
    for (const limited of all) {
      const values = [bucketOf(limited), LIMITS[limited[0]].forgottenAfterMs];
      await this.database.run(GIVE_BACK, values);
    }
  }
}

/** The network of a client, as it is limited; those whose address no proxy tells share one limit. */
export function networkOf(clientAddress: string | null): string {
  return clientNetwork(clientAddress ?? 'unknown');
}

/** The answer to an attempt to sign in after too many that failed. */
export function tooManyAttempts(waitMs: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  const wait = retryAfter === 1 ? '1 second' : `${String(retryAfter)} seconds`;
  return new AppError(
    'rate_limited',
    `Too many attempts failed. Try again in ${wait}.`,
    { retryAfter },
    { retryAfterSeconds: retryAfter },
  );
}

function bucketOf([kind, value]: Limited): Buffer {
  return createHash('sha256').update(`${kind}:${value}`).digest();
}
