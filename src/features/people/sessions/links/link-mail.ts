import { Injectable } from '@nestjs/common';
import { Config } from '../../../../platform/config/config.js';
import type { MailSettings } from '../../../../platform/config/mail-settings.js';
import type { Plan } from '../../../access/auth/plan.js';
import { AppError, type FieldProblem } from '../../../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../../../platform/basics/errors/reason.js';
import type { LinkPurpose } from '../entities/one-time-link.entity.js';
import { networkOf, SignInThrottle } from '../sign-in/sign-in-throttle.js';

/** Whoever waits for the answer waits for the mail server too. */
const TIMEOUT_MS = 5_000;

/** A link for somebody who is to get it by mail. */
export interface LinkMessage {
  to: string;
  purpose: LinkPurpose;
  url: string;
  expiresAt: Date;
  /** Of an invitation: who invites to which account. */
  invitation?: { by: string; account: string };
}

/** Who has a mail sent. */
export interface MailSender {
  /** UUID. */
  accountId: string;
  plan: Plan;
  clientAddress: string | null;
}

/** Sends links by mail, where the operator has named a mail server. */
@Injectable()
export class LinkMail {
  constructor(
    private readonly config: Config,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * Sends it where mail is sent at all. Returns warnings for the answer when it could not be sent, or when the mailbox,
   * the account or the network has had its share of mails. Never rejects because of mail.
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
      const issue = `was not sent the link by mail, because too many were sent lately; hand over the link itself, or make a new one in ${wait}`;
      return [{ field: 'email', issue }];
    }
    return sendLink(mail, message);
  }
}

/** The mailbox of an address: what follows a `+` only sorts its mail. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = email.slice(0, at).split('+');
  return (local + email.slice(at)).toLowerCase();
}

/** Sends a link by this mail server; what to say when it could not be sent. The library is loaded here only. */
export async function sendLink(
  { smtpUrl, from }: MailSettings,
  message: LinkMessage,
): Promise<FieldProblem[]> {
  const { createTransport } = await import('nodemailer');
  const limits = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
  };
  const server = createTransport({ url: smtpUrl, ...limits }, { from });
  try {
    await server.sendMail({
      to: message.to,
      subject: SUBJECTS[message.purpose],
      text: textOf(message),
    });
    return [];
  } catch (error) {
    const issue = `could not be sent the link by mail (${reasonOf(error)}); hand over the link itself`;
    return [{ field: 'email', issue }];
  } finally {
    server.close();
  }
}

/** Fixed texts: a subject that a stranger could write would make our mail their advertisement. */
const SUBJECTS: Readonly<Record<LinkPurpose, string>> = {
  'first-run': 'Your link to the Document Service',
  invitation: 'You are invited to the Document Service',
  password: 'Set a new password for the Document Service',
};

function textOf({ purpose, url, expiresAt, invitation }: LinkMessage): string {
  const what = invitation
    ? `${plainName(invitation.by)} invites you to the account "${plainName(invitation.account)}" of the Document Service.`
    : purpose === 'password'
      ? 'Somebody who operates the Document Service made a link for you to set a new password.'
      : 'This link lets you begin to use the Document Service.';
  return [
    what,
    '',
    url,
    '',
    `The link works once, until ${expiresAt.toUTCString()}. If you did not expect it, do nothing.`,
    '',
  ].join('\n');
}

const MAX_NAME = 60;

/**
 * Returns a name as a mail may show it. Mail programs make links of much more than URLs, such as `evil.example/x` and
 * addresses, so only letters, digits and a few signs stay that no link consists of; a dot only at the end of a word.
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
