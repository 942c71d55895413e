import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { SecretBox } from '../../../../platform/secrets/secret-box.js';
import type { Person } from '../../../auth/person.js';
import type { UserSecondFactorEntity } from '../entities/user-credentials.entities.js';
import { SecondFactorsRepository } from './second-factors.repository.js';
import { SignInThrottleRepository } from './sign-in-throttle.repository.js';

/** The name that authenticator apps show next to the codes. */
const ISSUER = 'Document Service';
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Time steps accepted before and after the current one, for clocks that differ. */
const TOLERATED_STEPS = 1;

const RECOVERY_CODES = 10;
/** 80 bits each, too many to recover from their SHA-256. */
const RECOVERY_BYTES = 10;

/** Codes of an authenticator app (TOTP, RFC 6238) required along with the password, and recovery codes to replace them. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly clock: Clock,
    private readonly secretBox: SecretBox,
    private readonly throttle: SignInThrottleRepository,
  ) {}

  /** True if this user needs a code to sign in. */
  async isOn(userId: string): Promise<boolean> {
    return (await this.factors.find(userId))?.confirmedAt != null;
  }

  /** Returns a new secret for the app, which takes effect with {@link confirm}. Throws `conflict` if two-factor is on. */
  async begin(user: Person): Promise<{ secret: string; uri: string }> {
    if (await this.isOn(user.id)) throw isOnAlready();
    const secret = new Secret({ size: SECRET_BYTES }).base32;
    const sealed = this.secretBox.seal(secret, user.id);
    await this.factors.replace(user.id, sealed, this.clock.now());
    return { secret, uri: appFor(secret, user.email).toString() };
  }

  /**
   * Turns on two-factor sign-in once a code proves that the app has the secret. Returns the recovery codes, which cannot
   * be retrieved later, or `undefined` for a wrong code. Throws `conflict` if there is no new secret. Call it in the
   * transaction of its audit entry, within {@link throttled}.
   */
  async confirm(userId: string, code: string): Promise<string[] | undefined> {
    const factor = await this.factors.find(userId);
    if (!factor) throw notBegun();
    if (factor.confirmedAt) throw isOnAlready();
    if (!(await this.takeAppCode(factor, code))) return undefined;
    await this.factors.update(userId, { confirmedAt: this.clock.now() });
    return this.renewRecoveryCodes(userId);
  }

  /**
   * Accepts a code of the app or a recovery code once. Returns false if it is wrong or was used before. Throws
   * `rate_limited` after too many wrong codes.
   */
  async takes(userId: string, code: string): Promise<boolean> {
    const factor = await this.factors.find(userId);
    if (!factor?.confirmedAt) return false;
    return this.throttled(
      userId,
      async () =>
        (await this.takeAppCode(factor, code)) ||
        (await this.factors.takeRecoveryHash(userId, hashOfRecoveryCode(code))),
    );
  }

  /**
   * Runs an attempt with a code. It counts if it rejects or returns false. Throws `rate_limited` after too many. Never
   * call it in a transaction, because a rollback would undo the count.
   */
  async throttled<Result>(userId: string, attempt: () => Promise<Result>): Promise<Result> {
    await this.throttle.take(['code', userId]);
    const result = await attempt();
    if (result !== false) await this.throttle.giveBack(['code', userId]);
    return result;
  }

  /** Replaces the recovery codes and returns the new ones, which cannot be retrieved later. */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const recoveryHashes = codes.map(hashOfRecoveryCode);
    await this.factors.update(userId, { recoveryHashes });
    return codes;
  }

  async turnOff(userId: string): Promise<void> {
    await this.factors.delete(userId);
  }

  private async takeAppCode(factor: UserSecondFactorEntity, code: string): Promise<boolean> {
    const app = appFor(this.secretBox.open(factor.secretEncrypted, factor.userId), '');
    const timestamp = this.clock.now().getTime();
    const token = code.replace(/\s/g, '');
    const delta = app.validate({ token, timestamp, window: TOLERATED_STEPS });
    if (delta === null) return false;
    return this.factors.takeStep(factor.userId, app.counter({ timestamp }) + delta);
  }
}

export function isOnAlready(): AppError {
  return new AppError(
    'conflict',
    'Two-factor sign-in is already on. Turn it off first to use another app.',
  );
}

export function notBegun(): AppError {
  return new AppError(
    'conflict',
    'Request a new secret first, then add it to your authenticator app.',
  );
}

function appFor(secret: string, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_S });
}

/** Returns five groups of four hexadecimal digits, `0f3a-…`. */
function newRecoveryCode(): string {
  const digits = randomBytes(RECOVERY_BYTES).toString('hex');
  return digits.match(/.{4}/g)?.join('-') ?? digits;
}

/** Ignores case, spaces and hyphens, which people type differently. */
function hashOfRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.replace(/[\s-]/g, '').toLowerCase()).digest();
}
