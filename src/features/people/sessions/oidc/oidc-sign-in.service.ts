import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { unavailable } from '../../../../platform/basics/errors/database-error.js';
import { Config } from '../../../../platform/config/config.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { SecretBox, SecretUnreadableError } from '../../../../platform/secrets/secret-box.js';
import { normalizeEmail } from '../../../auth/accounts/email-address.js';
import type { Person } from '../../../auth/person.js';
import { hashToken } from '../secret-token.js';
import { isSecure } from '../session/browser-sessions.service.js';
import { signUpIsClosed } from '../sign-in/sign-in.service.js';
import { UnverifiedUsersService } from '../users/unverified-users.service.js';
import { UsersRepository } from '../users/users.repository.js';
import type { OidcAttempt, OidcPerson } from './oidc-client.js';

const MAX_NAME = 200;
/** Attempts to create a user while others sign up with the same address. */
const MAX_TURNS = 5;

const COOKIE = 'oidc';
const PATH = '/dashboard/api/oidc';
/** Maximum time to sign in at the provider. */
const LIFETIME_MS = 10 * 60 * 1000;
const SENT = new RegExp(`(?:^|;) *${COOKIE}=([^;]*)`);

/** An attempt, and the path of the page to open after it. */
interface StoredAttempt extends OidcAttempt {
  next: string;
}

const USE: Statement = {
  name: 'sessions.use-oidc-attempt',
  text: `INSERT INTO used_oidc_attempts (state_hash, expires_at) VALUES ($1, $2)
         ON CONFLICT DO NOTHING RETURNING true`,
};

/**
 * Stores an attempt in an encrypted cookie. Only the browser that started it can finish it, and only once: the state of
 * each attempt that comes back is stored, for all replicas. Abandoned attempts leave nothing in the database.
 */
@Injectable()
export class OidcAttempts {
  constructor(
    private readonly database: Database,
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

  /**
   * Removes and returns the browser's attempt. Returns `undefined` if it is missing, expired or used. If several calls race
   * for one attempt, only one gets it.
   */
  async take(request: Request, response: Response): Promise<StoredAttempt | undefined> {
    const sent = SENT.exec(request.headers.cookie ?? '')?.[1];
    if (sent === undefined) return undefined;
    response.clearCookie(COOKIE, this.attributes(request));
    const stored = this.open(sent);
    if (!stored) return undefined;
    const { endsAt, ...attempt } = stored;
    if (endsAt <= this.clock.now().getTime()) return undefined;
    const values = [hashToken(attempt.state), new Date(endsAt)];
    return (await this.database.run(USE, values)).length > 0 ? attempt : undefined;
  }

  private open(sent: string): (StoredAttempt & { endsAt: number }) | undefined {
    try {
      const text = this.secretBox.open(Buffer.from(sent, 'base64url'), COOKIE);
      return JSON.parse(text) as StoredAttempt & { endsAt: number };
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
export class OidcSignInService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly unverified: UnverifiedUsersService,
    private readonly config: Config,
  ) {}

  /**
   * Returns the user with this identity, or the user with the e-mail address that the provider verified, or a new user. An
   * unverified user with the address is set apart, unless the browser has a session of that user: a person who has both is the
   * same. `signedIn` is the user of that session. Throws `forbidden` for an unverified address, and for a new user
   * if sign-up is closed.
   */
  async identify(person: OidcPerson, signedIn: Person | undefined): Promise<Person> {
    const { issuer, subject } = person;
    return this.database.transaction(async () => {
      const known = await this.users.findByIdentity(issuer, subject);
      if (known) {
        const email = person.email?.trim().toLowerCase();
        if (person.isEmailVerified && email === known.email) await this.users.verifyEmail(known);
        return known;
      }
      const user = await this.findOrCreate(person, signedIn);
      await this.users.linkIdentity(user.id, issuer, subject);
      return user;
    });
  }

  private async findOrCreate(person: OidcPerson, signedIn: Person | undefined): Promise<Person> {
    if (person.email === undefined || !person.isEmailVerified) throw emailIsNotVerified();
    const email = normalizeEmail(person.email);
    const name = nameOf(person.name) ?? email;
    // Someone may sign up with the address again between two steps, but then the next turn sets that user apart, too.
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      if (signedIn?.email === email) await this.users.verifyEmail(signedIn);
      const user = await this.users.findByEmail(email);
      if (user?.emailVerifiedAt) return { id: user.id, name: user.name, email };
      if (this.config.signUp === 'closed') throw user ? addressIsUnverified() : signUpIsClosed();
      if (user) await this.unverified.setApart(email, 'service');
      const created = await this.users.createIfNew(email, name);
      if (created) return created;
    }
    throw unavailable('contended');
  }
}

/** Returns a name that can be stored and shown on one line, if the claim has one. */
function nameOf(claim: string | undefined): string | undefined {
  const name = claim
    ?.toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
  return name === '' ? undefined : name;
}

/** The error if the address belongs to a user who has not proved it, and no user may be created in their place. */
export function addressIsUnverified(): AppError {
  return new AppError(
    'forbidden',
    'A user with your e-mail address exists, but the address is unverified. If this user is you, sign in with the password, and then with the provider. Otherwise ask the operator of the service for a link.',
    { code: 'address-unverified' },
  );
}

export function emailIsNotVerified(): AppError {
  return new AppError(
    'forbidden',
    'The sign-in provider has not verified your e-mail address, so it cannot identify you here. Verify it there, and sign in again.',
    { code: 'email-unverified' },
  );
}
