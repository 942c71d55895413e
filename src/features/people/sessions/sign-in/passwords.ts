import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { BoundedQueue, type Caller } from '../../../../platform/database/bounded-queue.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';

/** As OWASP recommends for argon2id, which is what the library makes: about 85 ms and 19 MiB each. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** How every hash begins that was made at this cost. */
const PREFIX = `$argon2id$v=19$m=${String(COST.memoryCost)},t=${String(COST.timeCost)},p=${String(COST.parallelism)}$`;

/** More at once would take memory and threads from everything else. */
const AT_ONCE = 2;
/** Some two seconds of work. Beyond, signing in would be a way to stop the service. */
const MAX_WAITING = 40;

export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 200;

/** A hash that no password has, so that an unknown e-mail address takes as long as a wrong password. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$/w+zb0xvTLT/lKjGS9jWfw$cghk+xBDgQzujCGDizNY0ODNlvJLYTk0Vq6hxwd8bIk';

/** Hashes and compares passwords, a bounded number at a time. */
@Injectable()
export class Passwords {
  private readonly queue = new BoundedQueue({
    concurrency: AT_ONCE,
    maxWaiting: MAX_WAITING,
    refusal: tooManyAtOnce,
  });

  /** What is stored of a password. Throws `unavailable` when too many wait. */
  hash(password: string, caller?: Caller): Promise<string> {
    return this.queue.run(() => hash(normalised(password), COST), caller);
  }

  /** Whether it is this password; without a stored hash `false`, after the same time. Throws like {@link hash}. */
  async matches(password: string, stored: string | undefined, caller?: Caller): Promise<boolean> {
    const isRight = await this.queue.run(
      () => verify(stored ?? NOBODYS, normalised(password)),
      caller,
    );
    return isRight && stored !== undefined;
  }
}

/** Whether the hash was made at another cost than today's, so that a new one should take its place. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(PREFIX);
}

/** The answer when the queue for hashing is full. */
export function tooManyAtOnce(): AppError {
  return new AppError(
    'unavailable',
    'Too many people are signing in at this moment. Try again in a few seconds.',
    undefined,
    { retryAfterSeconds: 3 },
  );
}

/** Keyboards write the same letter in several ways. */
function normalised(password: string): string {
  return password.normalize('NFKC');
}
