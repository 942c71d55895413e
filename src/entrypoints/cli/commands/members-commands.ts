import { Argument, Option, type Command } from 'commander';
import { ROLES, type Role } from '../../../features/auth/roles.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { Member } from '../../../features/people/members/members.repository.js';
import { VOUCH } from '../arguments.js';
import { print, printTable, show } from '../output.js';
import { withServices } from '../services.js';

export function define(command: Command): void {
  command
    .command('list')
    .description('list the members of an account, highest role first')
    .argument('<account>', 'acct_…')
    .action(listMembers);
  command
    .command('add')
    .description('add a member to an account; creates a user if the e-mail address is new')
    .argument('<account>', 'acct_…')
    .argument('<email>', 'e-mail address of the member')
    .addOption(new Option('--role <role>', 'role of the member').choices(ROLES).default('member'))
    .option(...VOUCH)
    .action(addMember);
  command
    .command('role')
    .description('change the role of a member, effective from the next request')
    .argument('<account>', 'acct_…')
    .argument('<email>', 'who: an e-mail address or user_…')
    .addArgument(new Argument('<role>').choices(ROLES))
    .option(...VOUCH)
    .action(changeRole);
  command
    .command('remove')
    .description('remove a member from an account')
    .argument('<account>', 'acct_…')
    .argument('<email>', 'who: an e-mail address or user_…')
    .option('--revoke-keys', 'also revoke the keys that this user created in the account')
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
    print(`${member.email} is a member of ${account} with the role ${role}.`);
    print(`To create a sign-in link: npm run -s cli -- users link --email ${member.email}`);
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
    print(`${member.email} now has the role ${role} in ${account}.`);
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
    print(`Removed ${member.email} from ${account}.`);
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
