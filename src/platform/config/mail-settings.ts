import type { GivenVariables } from './variables.js';

/** The SMTP server of the service. */
export interface MailSettings {
  /** Contains the password, if any: never log it. */
  smtpUrl: string;
  /** Sender address. */
  from: string;
}

interface MailVariables {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  PUBLIC_URL?: string | undefined;
}

/** Returns the mail settings; undefined if no server is configured. */
export function mailSettings(env: MailVariables): MailSettings | undefined {
  const { SMTP_URL: smtpUrl, MAIL_FROM, PUBLIC_URL } = env;
  if (smtpUrl === undefined) return undefined;
  // PUBLIC_URL can be missing only if the configuration is invalid.
  const host = new URL(PUBLIC_URL ?? smtpUrl).hostname;
  return { smtpUrl, from: MAIL_FROM ?? `documents@${host}` };
}

/** Returns the problems between mail variables. */
export function mailProblems(given: GivenVariables): string[] {
  if (given['SMTP_URL'] === undefined || given['PUBLIC_URL'] !== undefined) return [];
  return [
    'PUBLIC_URL is required with SMTP_URL; set it to the URL of the service in the browser, such as https://documents.example.com, for the links in mails.',
  ];
}
