import type { Command } from 'commander';
import { encodeId } from '../identifiers/identifiers.js';
import type { LinkMessage } from '../sessions/link-mail.js';
import { linkUrl } from '../sessions/link-url.js';
import { print, printJson, printTable, remark } from './output.js';
import type { WithServices } from './services.js';
import type { CliSettings } from './settings.js';

interface LinkOptions {
  email?: string;
  json?: true;
}

interface ResetOptions {
  withoutTwoFactor?: boolean;
  json?: true;
}

export function addUsersCommands(
  program: Command,
  withServices: WithServices,
  settings: () => CliSettings,
): void {
  const command = program.command('users').description('people who sign in to the dashboard');
  command
    .command('link')
    .description('make a link by which somebody begins to use the dashboard')
    .option('--email <address>', 'for whom; a user is made when the e-mail is new')
    .option('--json', 'print one line of JSON')
    .action((options: LinkOptions) => makeLink(withServices, settings(), options));
  command
    .command('reset-password')
    .description('make a link by which a user sets a new password')
    .argument('<email>', 'whose password')
    .option('--without-two-factor', 'turn two-factor sign-in off, for who has lost the app')
    .option('--json', 'print one line of JSON')
    .action((email: string, options: ResetOptions) =>
      resetPassword(withServices, settings(), email, options),
    );
  command
    .command('list')
    .description('list all users')
    .option('--json', 'print one line of JSON')
    .action((options: { json?: true }) => listUsers(withServices, options));
}

async function makeLink(
  withServices: WithServices,
  settings: CliSettings,
  { email, json }: LinkOptions,
): Promise<void> {
  const { token, expiresAt } = await withServices(({ people }) => people.link(email));
  const url = linkUrl(settings.publicUrl, 'first-run', token);
  if (email !== undefined)
    await mail(settings, { to: email, purpose: 'first-run', url, expiresAt });
  const whom = email === undefined ? 'for who opens it' : `for ${email}`;
  show(url, expiresAt, `A link ${whom} to begin with, which works once`, json);
}

async function resetPassword(
  withServices: WithServices,
  settings: CliSettings,
  email: string,
  { withoutTwoFactor = false, json }: ResetOptions,
): Promise<void> {
  const { token, expiresAt } = await withServices(({ people }) =>
    people.resetPassword(email, withoutTwoFactor),
  );
  const url = linkUrl(settings.publicUrl, 'password', token);
  await mail(settings, { to: email, purpose: 'password', url, expiresAt });
  if (withoutTwoFactor) remark(`Two-factor sign-in of ${email} is off.`);
  show(url, expiresAt, `A link for ${email} to set a new password, which works once`, json);
}

/** Sends the link too, where the settings name a mail server; it is printed in any case. */
async function mail(settings: CliSettings, message: LinkMessage): Promise<void> {
  if (!settings.mail) return;
  const { sendLink } = await import('../sessions/link-mail.js');
  const [problem] = await sendLink(settings.mail, message);
  remark(problem ? `${message.to} ${problem.issue}.` : `Sent to ${message.to}.`);
}

function show(link: string, expiresAt: Date, what: string, json: true | undefined): void {
  if (json) {
    printJson({ link, expiresAt: expiresAt.toISOString() });
    return;
  }
  print(`${what}, until ${expiresAt.toISOString()}:`);
  print(link);
}

async function listUsers(withServices: WithServices, { json }: { json?: true }): Promise<void> {
  const users = await withServices(({ people }) => people.list());
  const shown = users.map(({ id, createdAt, ...user }) => ({
    id: encodeId('user', id),
    ...user,
    createdAt: createdAt.toISOString(),
  }));
  if (json) {
    printJson(shown);
    return;
  }
  printTable(
    ['ID', 'E-MAIL', 'NAME', 'SIGNS IN BY', 'ACCOUNTS', 'CREATED'],
    shown.map(({ id, email, name, signsInBy, accounts, createdAt }) => [
      id,
      email,
      name,
      signsInBy.join(', ') || '-',
      String(accounts),
      createdAt,
    ]),
  );
}
