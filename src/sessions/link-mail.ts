import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { MailSettings } from '../config/mail-settings.js';
import type { FieldProblem } from '../errors/app-error.js';
import { reasonOf } from '../errors/reason.js';
import type { LinkPurpose } from './entities/one-time-link.entity.js';

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

/** Sends links by mail, where the operator has named a mail server. */
@Injectable()
export class LinkMail {
  constructor(private readonly config: Config) {}

  /** Sends it where mail is sent at all; warnings for the answer when it could not be sent. Never rejects. */
  async send(message: LinkMessage): Promise<FieldProblem[]> {
    const { mail } = this.config;
    return mail ? sendLink(mail, message) : [];
  }
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
    await server.sendMail({ to: message.to, subject: subjectOf(message), text: textOf(message) });
    return [];
  } catch (error) {
    const issue = `could not be sent the link by mail (${reasonOf(error)}); hand over the link itself`;
    return [{ field: 'email', issue }];
  } finally {
    server.close();
  }
}

function subjectOf({ purpose, invitation }: LinkMessage): string {
  if (invitation) return oneLine(`${invitation.by} invites you to ${invitation.account}`);
  return purpose === 'password' ? 'Set a new password' : 'Your link to the Document Service';
}

function textOf({ purpose, url, expiresAt, invitation }: LinkMessage): string {
  const what = invitation
    ? `${oneLine(invitation.by)} invites you to the account "${oneLine(invitation.account)}" of the Document Service.`
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

/** Names are free text: they must not add lines of their own. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
