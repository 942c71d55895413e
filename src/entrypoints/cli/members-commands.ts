import { Argument, Option, type Command } from 'commander';
import { ROLES, type Role } from '../../features/access/auth/roles.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { Member } from '../../features/people/members/members.repository.js';
import { VOUCH } from './arguments.js';
import { print, printTable, show } from './output.js';
import { withServices } from './services.js';

export function define(command: Command): void {
  command
    .command('list')
    .description('list the people of an account, who may most first')
    .argument('<account>', 'acct_…')
    .action(listMembers);
  command
    .command('add')
    .description('make somebody a member; a user is made when the e-mail is new')
    .argument('<account>', 'acct_…')
    .argument('<email>', 'who')
    .addOption(new Option('--role <role>', 'as what').choices(ROLES).default('member'))
    .option(...VOUCH)
    .action(addMember);
  command
    .command('role')
    .description('give a member another role, from the next request on')
    .argument('<account>', 'acct_…')
    .argument('<email>', 'who: an e-mail address or user_…')
    .addArgument(new Argument('<role>').choices(ROLES))
    .option(...VOUCH)
    .action(changeRole);
  command
    .command('remove')
    .description('take a member out of an account')
    .argument('<account>', 'acct_…')
    .argument('<email>', 'who: an e-mail address or user_…')
    .option('--revoke-keys', 'end the keys that this user made in the account, too')
    .action(removeMember);
}

async function listMembers(account: string): Promise<void> {
  const members = await withServices(({ operator }) => operator.listMembers(account));
  show(members.map(present), () => {
    printTable(
      ['ID', 'E-MAIL', 'VERIFIED', 'NAME', 'ROLE', 'TWO-FACTOR', 'LAST SEEN', 'JOINED'],
      members
        .map(present)
        .map(({ id, email, emailVerified, name, role, twoFactor, lastSeenAt, joinedAt }) => [
          id,
          email,
          emailVerified ? 'yes' : 'no',
          name,
          role,
          twoFactor ? 'on' : 'off',
          lastSeenAt ?? '-',
          joinedAt,
        ]),
    );
  });
}

async function addMember(
  account: string,
  email: string,
  { role, vouch = false }: { role: Role; vouch?: boolean },
): Promise<void> {
  const member = await withServices(({ operator }) =>
    operator.addMember(account, email, role, vouch),
  );
  show(present(member), () => {
    print(`${member.email} belongs to ${account} as ${role}.`);
    print(`To sign in for the first time: npm run -s cli -- users link --email ${member.email}`);
  });
}

async function changeRole(
  account: string,
  email: string,
  role: Role,
  { vouch = false }: { vouch?: boolean },
): Promise<void> {
  const member = await withServices(({ operator }) =>
    operator.changeRole(account, email, role, vouch),
  );
  show(present(member), () => {
    print(`${member.email} is ${role} of ${account}.`);
  });
}

async function removeMember(
  account: string,
  email: string,
  { revokeKeys = false }: { revokeKeys?: boolean },
): Promise<void> {
  const member = await withServices(({ operator }) =>
    operator.removeMember(account, email, revokeKeys),
  );
  show({ id: encodeId('user', member.userId), removed: true }, () => {
    print(`${member.email} does not belong to ${account} any more.`);
  });
}

function present(member: Member) {
  const { userId, name, email, emailVerified, role, twoFactor, lastSeenAt, joinedAt } = member;
  return {
    id: encodeId('user', userId),
    name,
    email,
    emailVerified,
    role,
    twoFactor,
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    joinedAt: joinedAt.toISOString(),
  };
}
