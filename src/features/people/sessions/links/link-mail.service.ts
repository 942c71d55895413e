import { Injectable } from '@nestjs/common';
import { Config } from '../../../../platform/config/config.js';
import type { MailSettings } from '../../../../platform/config/mail-settings.js';
import type { Plan } from '../../../auth/plan.js';
import { AppError, type FieldProblem } from '../../../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../../../platform/basics/errors/reason.js';
import type { LinkPurpose } from '../entities/one-time-link.entity.js';
import { networkOf, SignInThrottleRepository } from '../sign-in/sign-in-throttle.repository.js';

/** The client's request waits for the mail server. */
const TIMEOUT_MS = 5_000;

/** A link to send by mail. */
export interface LinkMessage {
  to: string;
  purpose: LinkPurpose;
  url: string;
  expiresAt: Date;
  /** For an invitation: who sends it, and for which account. */
  invitation?: { by: string; account: string };
  /** For a new password: true if somebody asked for it on the sign-in page. Otherwise the operator created the link. */
  requested?: boolean;
}

/** The account and client that a mail is sent for. */
interface MailSender {
  /** UUID. */
  accountId: string;
  plan: Plan;
  clientAddress: string | null;
}

/** Sends links by mail, if the operator has configured a mail server. */
@Injectable()
export class LinkMailService {
  constructor(
    private readonly config: Config,
    private readonly throttle: SignInThrottleRepository,
  ) {}

  /**
   * Sends a link, if a mail server is configured. Returns warnings for the response if sending failed, or if the limit of
   * the mailbox, account or network is reached. Never rejects because of mail.
   */
  async send(message: LinkMessage, sender: MailSender): Promise<FieldProblem[]> {
    const { mail } = this.config;
    if (!mail) return [];
    const { accountId, plan, clientAddress } = sender;
    try {
      await this.throttle.take(
        ['mailRecipient', mailboxOf(message.to)],
        [plan === 'free' ? 'mailFreeAccount' : 'mailAccount', accountId],
        ['mailNetwork', networkOf(clientAddress)],
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'rate_limited') throw error;
      const wait = `${String(Math.ceil((error.retryAfterSeconds ?? 60) / 60))} min`;
      const issue = `was not sent the link by mail, because too many mails were sent recently; pass on the link yourself, or create a new one in ${wait}`;
      return [{ field: 'email', issue }];
    }
    return sendLink(mail, message);
  }
}

/** Returns the mailbox of an address, without a `+` suffix, which is only for sorting mail. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = email.slice(0, at).split('+');
  return (local + email.slice(at)).toLowerCase();
}

/** Sends a link through this mail server. Returns a warning if that fails. */
export async function sendLink(
  settings: MailSettings,
  message: LinkMessage,
): Promise<FieldProblem[]> {
  const { to, purpose } = message;
  try {
    await sendText(settings, { to, subject: SUBJECTS[purpose], text: textOf(message) });
    return [];
  } catch (error) {
    const issue = `could not be sent the link by mail (${reasonOf(error)}); pass on the link yourself`;
    return [{ field: 'email', issue }];
  }
}

/** Sends a mail. Rejects if that fails. Loads the library lazily. */
export async function sendText(
  { smtpUrl, from }: MailSettings,
  mail: { to: string; subject: string; text: string },
): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const limits = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
  };
  const server = createTransport({ url: smtpUrl, ...limits }, { from });
  try {
    await server.sendMail(mail);
  } finally {
    server.close();
  }
}

/** Fixed texts, so that strangers cannot use our mail to advertise. */
export const SUBJECTS: Readonly<Record<LinkPurpose, string>> = {
  'first-run': 'Your link to the Document Service',
  invitation: 'You are invited to the Document Service',
  password: 'Set a new password for the Document Service',
};

export function textOf(message: LinkMessage): string {
  const { url, expiresAt } = message;
  return [
    reasonFor(message),
    '',
    url,
    '',
    `The link works once, until ${expiresAt.toUTCString()}. If you did not expect it, ignore this message.`,
    '',
  ].join('\n');
}

function reasonFor({ purpose, invitation, requested }: LinkMessage): string {
  if (invitation) {
    return `${plainName(invitation.by)} invites you to the account "${plainName(invitation.account)}" of the Document Service.`;
  }
  if (purpose !== 'password') return 'Use this link to start using the Document Service.';
  return requested === true
    ? 'Somebody, probably you, asked for a new password for the Document Service. Set it here:'
    : 'The operator of the Document Service created a link for you to set a new password.';
}

const MAX_NAME = 60;

/**
 * Returns a name that is safe to show in a mail. Mail programs turn more than URLs into links, such as `evil.example/x` and
 * addresses, so this keeps only letters, digits and a few characters that cannot form a link. Dots stay only at word ends.
 */
export function plainName(name: string): string {
  const text = name
    .normalize('NFKC')
    .replace(/\.(?=\S)/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}.,'&() -]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const short = Array.from(text).slice(0, MAX_NAME).join('').trim();
  return short === '' ? 'Somebody' : short;
}
