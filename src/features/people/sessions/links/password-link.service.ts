import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../../../platform/basics/errors/reason.js';
import { Config } from '../../../../platform/config/config.js';
import type { MailSettings } from '../../../../platform/config/mail-settings.js';
import { publicOrigin } from '../../../../platform/http/public-origin.js';
import { clientAddressOf } from '../../../../platform/network/client-address.js';
import { Log } from '../../../../platform/operation/log.js';
import { normalizeEmail } from '../../../auth/accounts/email-address.js';
import { linkUrl } from '../secret-token.js';
import { networkOf, SignInThrottleRepository } from '../sign-in/sign-in-throttle.repository.js';
import { UsersRepository } from '../users/users.repository.js';
import { mailboxOf, sendText, SUBJECTS, textOf } from './link-mail.service.js';
import { OneTimeLinksRepository } from './one-time-links.repository.js';

/** Mails links to set a new password to people who forgot theirs. */
@Injectable()
export class PasswordLinkService implements BeforeApplicationShutdown {
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly users: UsersRepository,
    private readonly links: OneTimeLinksRepository,
    private readonly throttle: SignInThrottleRepository,
    private readonly log: Log,
  ) {}

  /**
   * Sends a link to the address if it belongs to a user. Sends it after the response, so that neither its content nor its
   * time tells whether there is a user. Throws `forbidden` without a mail server, and `rate_limited`.
   */
  async request(text: string, request: Request): Promise<void> {
    const { mail } = this.config;
    if (!mail) throw sendsNoMail();
    const email = normalizeEmail(text);
    await this.take(email, clientAddressOf(request));
    const origin = publicOrigin(request, this.config);
    const sent = this.send(email, origin, mail)
      .catch((error: unknown) => {
        this.log.warn({ reason: reasonOf(error) }, 'A password link could not be sent by mail');
      })
      .finally(() => this.sending.delete(sent));
    this.sending.add(sent);
  }

  /** Waits for the mails that are being sent. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sending);
  }

  private async take(email: string, clientAddress: string | null): Promise<void> {
    try {
      await this.throttle.take(
        ['passwordLink', networkOf(clientAddress)],
        ['mailRecipient', mailboxOf(email)],
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'rate_limited') throw error;
      throw tooManyLinks(error.retryAfterSeconds ?? 60);
    }
  }

  private async send(email: string, origin: string, mail: MailSettings): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (!user) return;
    const { id: userId, emailVerifiedAt } = user;
    const text =
      emailVerifiedAt === null
        ? withoutLink(UNVERIFIED)
        : (await this.signsInWithProvider(userId))
          ? withoutLink(
              `You sign in with ${this.config.oidc?.name ?? 'a provider'}, so you have no password.`,
            )
          : await this.textWithLink(userId, email, origin);
    await sendText(mail, { to: email, subject: SUBJECTS.password, text });
  }

  /** True if the user has an identity at the provider and no password. */
  private async signsInWithProvider(userId: string): Promise<boolean> {
    return (
      (await this.users.passwordHashOf(userId)) === undefined &&
      (await this.users.canSignIn(userId))
    );
  }

  /** Earlier links stay valid, because anyone can request one for this address. Setting the password revokes them all. */
  private async textWithLink(userId: string, to: string, origin: string): Promise<string> {
    const { mailedToken, expiresAt } = await this.links.create({ purpose: 'password', userId });
    const url = linkUrl(origin, 'password', mailedToken);
    return textOf({ to, purpose: 'password', url, expiresAt, requested: true });
  }
}

/**
 * Anybody can sign up with an address. A link would give its owner an account that somebody else prepared
 * (docs/adr/0006-sessions-passwords-and-verified-addresses.md).
 */
const UNVERIFIED =
  'Your email address is not verified, so the service cannot send a link to it. Ask an owner of your account, or the person who runs the service.';

function withoutLink(reason: string): string {
  return [
    'Somebody, probably you, asked for a new password for the Document Service.',
    '',
    reason,
    '',
  ].join('\n');
}

export function sendsNoMail(): AppError {
  return new AppError(
    'forbidden',
    'This service sends no mail. Ask an owner of your account, or the person who runs the service, for a link to set a new password.',
  );
}

export function tooManyLinks(retryAfter: number): AppError {
  const wait = `${String(Math.ceil(retryAfter / 60))} min`;
  return new AppError(
    'rate_limited',
    `Too many links were requested. Try again in ${wait}.`,
    { retryAfter },
    { retryAfterSeconds: retryAfter },
  );
}
