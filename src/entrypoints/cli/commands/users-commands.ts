import type { Command } from 'commander';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { LinkMessage } from '../../../features/people/sessions/links/link-mail.service.js';
import { linkUrl } from '../../../features/people/sessions/secret-token.js';
import { VOUCH } from '../arguments.js';
import { print, printTable, remark, show } from '../output.js';
import { withServices } from '../services.js';
import { serviceUrl, settings, type CliSettings } from '../settings.js';

export function define(command: Command): void {
  command
    .command('link')
    .description('create a link for first access to the dashboard')
    .option('--email <address>', 'e-mail address of the user; creates a user if it is new')
    .option(...VOUCH)
    .action(makeLink);
  command
    .command('reset-password')
    .description('create a link to set a new password')
    .argument('<email>', 'e-mail address of the user')
    .option('--without-two-factor', 'turn off two-factor sign-in, for users who lost their app')
    .option(...VOUCH)
    .action(resetPassword);
  command.command('list').description('list all users').action(listUsers);
}

async function makeLink({
  email,
  vouch = false,
}: {
  email?: string;
  vouch?: boolean;
}): Promise<void> {
  const read = settings();
  const { token, expiresAt } = await withServices(({ people }) => people.link(email, vouch));
  const url = linkUrl(await serviceUrl(read), 'first-run', token);
  if (email !== undefined) await mail(read, { to: email, purpose: 'first-run', url, expiresAt });
  const whom = email === undefined ? 'for the first person who opens it' : `for ${email}`;
  showLink(url, expiresAt, `Sign-in link ${whom}, for one use`);
}

async function resetPassword(
  email: string,
  { withoutTwoFactor = false, vouch = false }: { withoutTwoFactor?: boolean; vouch?: boolean },
): Promise<void> {
  const read = settings();
  const { token, expiresAt } = await withServices(({ people }) =>
    people.resetPassword(email, withoutTwoFactor, vouch),
  );
  const url = linkUrl(await serviceUrl(read), 'password', token);
  await mail(read, { to: email, purpose: 'password', url, expiresAt });
  if (withoutTwoFactor) remark(`Two-factor sign-in of ${email} is off.`);
  showLink(url, expiresAt, `Password link for ${email}, for one use`);
}

/** Also sends the link by mail if a server is configured. */
async function mail({ mail: server }: CliSettings, message: LinkMessage): Promise<void> {
  if (!server) return;
  const { sendLink } = await import('../../../features/people/sessions/links/link-mail.service.js');
  const [problem] = await sendLink(server, message);
  remark(problem ? `${message.to} ${problem.issue}.` : `Sent to ${message.to}.`);
}

function showLink(link: string, expiresAt: Date, what: string): void {
  show({ link, expiresAt: expiresAt.toISOString() }, () => {
    print(`${what}, valid until ${expiresAt.toISOString()}:`);
    print(link);
  });
}

async function listUsers(): Promise<void> {
  const users = await withServices(({ people }) => people.list());
  const shown = users.map(({ id, createdAt, ...user }) => ({
    id: encodeId('user', id),
    ...user,
    createdAt: createdAt.toISOString(),
  }));
  show(shown, () => {
    printTable(
      ['ID', 'E-MAIL', 'VERIFIED', 'NAME', 'SIGNS IN BY', 'ACCOUNTS', 'CREATED'],
      shown.map(
        ({ id, email, formerEmail, emailVerified, name, signsInBy, accounts, createdAt }) => [
          id,
          formerEmail === null ? email : `${email} (set apart, was ${formerEmail})`,
          emailVerified ? 'yes' : 'no',
          name,
          signsInBy.join(', ') || '-',
          String(accounts),
          createdAt,
        ],
      ),
    );
  });
}
