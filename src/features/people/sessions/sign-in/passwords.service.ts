import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { FairLimiter, type Caller } from '../../../../platform/basics/concurrency/fair-limiter.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';

/** OWASP's recommendation for argon2id, the library's default algorithm: about 85 ms and 19 MiB per hash. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** The prefix of every hash with this cost. */
const PREFIX = `$argon2id$v=19$m=${String(COST.memoryCost)},t=${String(COST.timeCost)},p=${String(COST.parallelism)}$`;

/** More concurrent hashes would starve other work of memory and threads. */
const CONCURRENCY = 2;
/** About two seconds of work. A longer queue would let sign-ins stall the service. */
const MAX_WAITING = 40;

export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 200;

/** A hash that matches no password. With it, an unknown e-mail address takes as long as a wrong password. */
const UNMATCHABLE_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$/w+zb0xvTLT/lKjGS9jWfw$cghk+xBDgQzujCGDizNY0ODNlvJLYTk0Vq6hxwd8bIk';

/** Hashes and compares passwords with bounded concurrency. */
@Injectable()
export class PasswordsService {
  private readonly queue = new FairLimiter(
    { concurrency: CONCURRENCY, maxWaiting: MAX_WAITING, waitLimitMs: 5_000 },
    tooManyAtOnce,
  );

  /** Returns the hash to store. Throws `unavailable` if the queue is full. */
  hash(password: string, caller?: Caller): Promise<string> {
    return this.queue.run({ caller }, () => hash(normalized(password), COST));
  }

  /** Compares a password with a stored hash. Without one, returns false after the same time. Throws like {@link hash}. */
  async matches(password: string, stored: string | undefined, caller?: Caller): Promise<boolean> {
    const isRight = await this.queue.run({ caller }, () =>
      verify(stored ?? UNMATCHABLE_HASH, normalized(password)),
    );
    return isRight && stored !== undefined;
  }
}

/** True if the hash has a different cost and should be replaced. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(PREFIX);
}

export function tooManyAtOnce(): AppError {
  return new AppError(
    'unavailable',
    'Too many sign-ins are in progress. Try again in a few seconds.',
    undefined,
    { retryAfterSeconds: 3 },
  );
}

/** Keyboards can encode the same letter in several ways. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
