import { createInterface } from 'node:readline/promises';
import { Argument, Option, type Command } from 'commander';
import type { Account } from '../../../features/auth/accounts/account.js';
import { limitsText, PLANS, type Plan, type WindowLimits } from '../../../features/auth/plan.js';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { limitsOf } from '../../../features/rate-limit/plan-limits.js';
import { parseLimit, VOUCH } from '../arguments.js';
import { print, printTable, show } from '../output.js';
import { withServices } from '../services.js';

export function define(command: Command): void {
  command.command('list').description('list all accounts').action(listAccounts);
  command
    .command('create')
    .description('create an account, and its owner if the e-mail address is new')
    .requiredOption('--email <address>', 'e-mail address of the owner')
    .option(
      '--name <name>',
      'name of the account (default: the part of the e-mail address before the @)',
    )
    .addOption(new Option('--plan <plan>', 'plan of the account').choices(PLANS).default('free'))
    .option(...VOUCH)
    .action(createAccount);
  command
    .command('rename')
    .description('rename an account')
    .argument('<account>', 'acct_…')
    .argument('<name>', 'the new name')
    .action(renameAccount);
  command
    .command('plan')
    .description('change the plan of an account, effective from its next request')
    .argument('<account>', 'acct_…')
    .addArgument(new Argument('<plan>').choices(PLANS))
    .option('--minute <n>', 'enterprise only: requests per minute (default: unlimited)', parseLimit)
    .option('--hour <n>', 'enterprise only: requests per hour (default: unlimited)', parseLimit)
    .option('--day <n>', 'enterprise only: requests per day (default: unlimited)', parseLimit)
    .action(setPlan);
  command
    .command('suspend')
    .description(
      'suspend an account: refuse its requests on every replica and pause its deliveries and jobs',
    )
    .argument('<account>', 'acct_…')
    .action((id: string) => suspend(id, true));
  command
    .command('resume')
    .description('resume a suspended account')
    .argument('<account>', 'acct_…')
    .action((id: string) => suspend(id, false));
  command
    .command('delete')
    .description('permanently delete an account and its data; asks for its name')
    .argument('<account>', 'acct_…')
    .option('--yes', 'skip the confirmation')
    .action(deleteAccount);
}

async function listAccounts(): Promise<void> {
  const accounts = await withServices((services) => services.accounts.list());
  show(accounts.map(present), () => {
    printTable(
      ['ID', 'NAME', 'OWNER', 'PLAN', 'LIMITS', 'STATE', 'CREATED'],
      accounts.map(({ id, name, owner, plan, customLimits, suspendedAt, createdAt }) => [
        encodeId('account', id),
        name,
        owner.email,
        plan,
        limitsText(limitsOf(plan, customLimits)),
        suspendedAt ? 'suspended' : 'active',
        createdAt.toISOString(),
      ]),
    );
  });
}

async function createAccount(options: {
  email: string;
  name?: string;
  plan: Plan;
  vouch?: boolean;
}): Promise<void> {
  const account = await withServices(({ operator }) =>
    operator.create({ ...options, name: options.name, vouch: options.vouch === true }),
  );
  const { id, owner, plan } = present(account);
  show(present(account), () => {
    print(`Created ${id} for ${owner.email} on the plan ${plan}.`);
    print(`To create a key: npm run -s cli -- keys create --account ${id}`);
  });
}

async function renameAccount(id: string, name: string): Promise<void> {
  const account = await withServices(({ operator }) => operator.rename(id, name));
  show(present(account), () => {
    print(`Renamed ${id} to ${account.name}.`);
  });
}

async function setPlan(id: string, plan: Plan, limits: Partial<WindowLimits>): Promise<void> {
  const { minute, hour, day } = limits;
  const own = Object.fromEntries(
    Object.entries({ minute, hour, day }).filter(([, limit]) => limit !== undefined),
  );
  const account = await withServices(({ plans }) => plans.set(id, plan, own));
  show(present(account), () => {
    print(`${id} is on the plan ${plan}: ${limitsText(limitsOf(plan, account.customLimits))}.`);
  });
}

async function suspend(id: string, isSuspended: boolean): Promise<void> {
  const account = await withServices(({ operator }) => operator.suspend(id, isSuspended));
  show(present(account), () => {
    print(
      isSuspended
        ? `${id} is suspended. Requests from its keys and members are refused. Its deliveries and jobs wait until you run: npm run -s cli -- accounts resume ${id}`
        : `${id} is active.`,
    );
  });
}

async function deleteAccount(id: string, { yes = false }: { yes?: boolean }): Promise<void> {
  await withServices(async ({ operator }) => {
    const { name } = await operator.find(id);
    await operator.delete(id, yes ? name : await typedName(id));
  });
  show({ id, deleted: true }, () => {
    print(`${id} is deleted. Workers remove its documents in the background.`);
  });
}

/** Asks the operator to type the name of the account. */
async function typedName(id: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new OperatorError(
      'Deleting an account cannot be undone, and there is no terminal for the confirmation: add --yes to delete it.',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = `This permanently deletes ${id} and all its documents. Type its name to continue: `;
  return terminal.question(question).finally(() => {
    terminal.close();
  });
}

function present({ id, name, plan, customLimits, createdAt, suspendedAt, owner }: Account) {
  return {
    id: encodeId('account', id),
    name,
    plan,
    limits: limitsOf(plan, customLimits),
    suspendedAt: suspendedAt?.toISOString() ?? null,
    owner: { id: encodeId('user', owner.id), name: owner.name, email: owner.email },
    createdAt: createdAt.toISOString(),
  };
}
