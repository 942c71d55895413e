import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import type { Person } from '../../../access/auth/person.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { SecretBox } from '../../../../platform/secrets/secret-box.js';
import { UserSecondFactorEntity } from '../entities/user-second-factor.entity.js';
import { SignInThrottle } from './sign-in-throttle.js';

/** What the app shows beside its codes. */
const ISSUER = 'Document Service';
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Steps before and after the present one, for clocks that differ. */
const TOLERATED_STEPS = 1;

const RECOVERY_CODES = 10;
/** 80 bits each: too many to be found from their SHA-256. */
const RECOVERY_BYTES = 10;

/** Takes a code once: of attempts that race, one. */
const TAKE_STEP: Statement = {
  name: 'sessions.take-step',
  text: `UPDATE user_second_factors SET last_used_step = $2
          WHERE user_id = $1 AND coalesce(last_used_step, 0) < $2 RETURNING true AS taken`,
};

const TAKE_RECOVERY_CODE: Statement = {
  name: 'sessions.take-recovery-code',
  text: `UPDATE user_second_factors SET recovery_hashes = array_remove(recovery_hashes, $2)
          WHERE user_id = $1 AND $2 = ANY (recovery_hashes) RETURNING true AS taken`,
};

/** Codes of an authenticator app (TOTP, RFC 6238), asked for beside the password, and recovery codes in their place. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secretBox: SecretBox,
    private readonly throttle: SignInThrottle,
  ) {}

  /** Whether signing in takes a code of this user. */
  async isOn(userId: string): Promise<boolean> {
    return (await this.find(userId))?.confirmedAt != null;
  }

  /** A new secret for the app. It counts when {@link confirm} has seen a code. Throws `conflict` where one is in use. */
  async begin(user: Person): Promise<{ secret: string; uri: string }> {
    if (await this.isOn(user.id)) throw isOnAlready();
    const secret = new Secret({ size: SECRET_BYTES });
    await this.database.repository(UserSecondFactorEntity).upsert(
      {
        userId: user.id,
        secretEncrypted: this.secretBox.seal(secret.base32, user.id),
        confirmedAt: null,
        lastUsedStep: null,
        recoveryHashes: [],
        createdAt: this.clock.now(),
      },
      ['userId'],
    );
    return { secret: secret.base32, uri: appFor(secret.base32, user.email).toString() };
  }

  /**
   * Has codes asked for from now on, once one shows that the app has the secret; the recovery codes, shown this once.
   * `undefined` for a wrong code. Throws `conflict` without a new secret. Call it in the transaction of its audit entry,
   * within {@link throttled}.
   */
  async confirm(userId: string, code: string): Promise<string[] | undefined> {
    const kept = await this.find(userId);
    if (!kept) throw notBegun();
    if (kept.confirmedAt) throw isOnAlready();
    if (!(await this.takesAppCode(kept, code))) return undefined;
    const confirmedAt = this.clock.now();
    await this.database.repository(UserSecondFactorEntity).update({ userId }, { confirmedAt });
    return this.renewRecoveryCodes(userId);
  }

  /**
   * Whether it is a code of the app or a recovery code that was not used before; it cannot be used again. Throws
   * `rate_limited` after too many wrong ones.
   */
  async takes(userId: string, code: string): Promise<boolean> {
    const kept = await this.find(userId);
    if (!kept?.confirmedAt) return false;
    return this.throttled(
      userId,
      async () =>
        (await this.takesAppCode(kept, code)) || (await this.takesRecoveryCode(userId, code)),
    );
  }

  /**
   * Tries a code of this user; an attempt that rejects or resolves with `false` counts. Throws `rate_limited` after too
   * many. Never call it in a transaction: its rollback would forget the attempt.
   */
  async throttled<Result>(userId: string, attempt: () => Promise<Result>): Promise<Result> {
    await this.throttle.take(['code', userId]);
    const result = await attempt();
    if (result !== false) await this.throttle.giveBack(['code', userId]);
    return result;
  }

  /** New recovery codes in place of those that are left, shown this once. */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const recoveryHashes = codes.map(hashOfRecoveryCode);
    await this.database.repository(UserSecondFactorEntity).update({ userId }, { recoveryHashes });
    return codes;
  }

  async turnOff(userId: string): Promise<void> {
    await this.database.repository(UserSecondFactorEntity).delete({ userId });
  }

  private find(userId: string): Promise<UserSecondFactorEntity | null> {
    return this.database.repository(UserSecondFactorEntity).findOneBy({ userId });
  }

  private async takesAppCode(kept: UserSecondFactorEntity, code: string): Promise<boolean> {
    const app = appFor(this.secretBox.open(kept.secretEncrypted, kept.userId), '');
    const timestamp = this.clock.now().getTime();
    const token = code.replace(/\s/g, '');
    const delta = app.validate({ token, timestamp, window: TOLERATED_STEPS });
    if (delta === null) return false;
    const step = app.counter({ timestamp }) + delta;
    return (await this.database.run(TAKE_STEP, [kept.userId, step])).length > 0;
  }

  private async takesRecoveryCode(userId: string, code: string): Promise<boolean> {
    const values = [userId, hashOfRecoveryCode(code)];
    return (await this.database.run(TAKE_RECOVERY_CODE, values)).length > 0;
  }
}

/** The answer to who turns on what is on. */
export function isOnAlready(): AppError {
  return new AppError(
    'conflict',
    'Two-factor sign-in is on already. Turn it off first to use another app.',
  );
}

/** The answer to a first code where no secret waits for one. */
export function notBegun(): AppError {
  return new AppError('conflict', 'Begin by asking for a new secret, and give that to the app.');
}

function appFor(secret: string, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_S });
}

/** `0f3a-…`, five times four hexadecimal digits. */
function newRecoveryCode(): string {
  const digits = randomBytes(RECOVERY_BYTES).toString('hex');
  return digits.match(/.{4}/g)?.join('-') ?? digits;
}

/** Of the code as people type it. */
function hashOfRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.replace(/[\s-]/g, '').toLowerCase()).digest();
}
