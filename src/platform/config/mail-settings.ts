import type { GivenVariables } from './variables.js';

/** The server that sends mail for the service. */
export interface MailSettings {
  /** With the password, if the server wants one: never logged. */
  smtpUrl: string;
  /** The address that mail comes from. */
  from: string;
}

interface MailVariables {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  PUBLIC_URL?: string | undefined;
}

/** What the checked variables say of mail; undefined when the operator has no server for it. */
export function mailSettings(env: MailVariables): MailSettings | undefined {
  const { SMTP_URL: smtpUrl, MAIL_FROM, PUBLIC_URL } = env;
  if (smtpUrl === undefined) return undefined;
  // Only missing where the variables are wrong together.
  const host = new URL(PUBLIC_URL ?? smtpUrl).hostname;
  return { smtpUrl, from: MAIL_FROM ?? `documents@${host}` };
}

/** Returns what is wrong with the variables of mail together. */
export function mailProblems(given: GivenVariables): string[] {
  if (given['SMTP_URL'] === undefined || given['PUBLIC_URL'] !== undefined) return [];
  return [
    'PUBLIC_URL is required with SMTP_URL; set it to the address in the browser, such as https://documents.example.com, where links in mails point.',
  ];
}
