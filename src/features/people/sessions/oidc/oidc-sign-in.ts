import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { Config } from '../../../../platform/config/config.js';
import { Database } from '../../../../platform/database/database.js';
import { SecretBox, SecretUnreadableError } from '../../../../platform/secrets/secret-box.js';
import { normalizeEmail } from '../../../access/auth/accounts/email-address.js';
import type { Person } from '../../../access/auth/person.js';
import { isSecure } from '../session/browser-sessions.js';
import { signUpIsClosed } from '../sign-in/sign-in.service.js';
import { UnverifiedUsers } from '../users/unverified-users.js';
import { UserRepository } from '../users/users.repository.js';
import type { OidcAttempt, OidcPerson } from './oidc-client.js';

const MAX_NAME = 200;

const COOKIE = 'oidc';
const PATH = '/dashboard/api/oidc';
/** Maximum time to sign in at the provider. */
const LIFETIME_MS = 10 * 60 * 1000;
const SENT = new RegExp(`(?:^|;) *${COOKIE}=([^;]*)`);

/** An attempt, and the path of the page to open after it. */
interface StoredAttempt extends OidcAttempt {
  next: string;
}

/**
 * Stores an attempt in an encrypted cookie. Only the browser that started it can finish it, and abandoned attempts leave
 * nothing in the database.
 */
@Injectable()
export class OidcAttempts {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  keep(attempt: StoredAttempt, request: Request, response: Response): void {
    const endsAt = this.clock.now().getTime() + LIFETIME_MS;
    const sealed = this.secretBox.seal(JSON.stringify({ ...attempt, endsAt }), COOKIE);
    const cookie = { ...this.attributes(request), maxAge: LIFETIME_MS };
    response.cookie(COOKIE, sealed.toString('base64url'), cookie);
  }

  /** Removes and returns the browser's attempt, or `undefined` if there is none or it has expired. */
  take(request: Request, response: Response): StoredAttempt | undefined {
    const sent = SENT.exec(request.headers.cookie ?? '')?.[1];
    if (sent === undefined) return undefined;
    response.clearCookie(COOKIE, this.attributes(request));
    try {
      const text = this.secretBox.open(Buffer.from(sent, 'base64url'), COOKIE);
      const { endsAt, ...attempt } = JSON.parse(text) as StoredAttempt & { endsAt: number };
      return endsAt > this.clock.now().getTime() ? attempt : undefined;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return undefined;
      throw error;
    }
  }

  private attributes(request: Request) {
    const secure = isSecure(request, this.config);
    // Lax, because the provider's redirect is a navigation from another site.
    return { path: PATH, httpOnly: true, sameSite: 'lax', secure } as const;
  }
}

/** Finds or creates the user that the provider identified. */
@Injectable()
export class OidcSignIn {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly unverified: UnverifiedUsers,
    private readonly config: Config,
  ) {}

  /**
   * Returns the user with this identity, or the user with the e-mail address that the provider verified, or a new user.
   * Throws `forbidden` for an unverified address, and for a new user if sign-up is closed.
   */
  async identify(person: OidcPerson): Promise<Person> {
    const { issuer, subject } = person;
    return this.database.transaction(async () => {
      const known = await this.users.findByIdentity(issuer, subject);
      if (known) {
        const email = person.email?.trim().toLowerCase();
        if (person.isEmailVerified && email === known.email) await this.users.verifyEmail(known.id);
        return known;
      }
      const user = await this.findOrCreate(person);
      await this.users.linkIdentity(user.id, issuer, subject);
      return user;
    });
  }

  private async findOrCreate(person: OidcPerson): Promise<Person> {
    if (person.email === undefined || !person.isEmailVerified) throw emailIsNotVerified();
    const email = normalizeEmail(person.email);
    const user = await this.users.findByEmail(email);
    if (!user) {
      if (this.config.signUp === 'closed') throw signUpIsClosed();
      const name = (person.name ?? email).trim().slice(0, MAX_NAME).toWellFormed();
      return this.users.createWithAccount(email, name, true);
    }
    await this.unverified.verify(user.id, 'service');
    return user;
  }
}

export function emailIsNotVerified(): AppError {
  return new AppError(
    'forbidden',
    'The sign-in provider has not verified your e-mail address, so it cannot identify you here. Verify it there, and sign in again.',
    { code: 'email-unverified' },
  );
}
