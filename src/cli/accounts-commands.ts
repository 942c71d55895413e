import { Argument, type Command } from 'commander';
import type { Account } from '../auth/accounts/account.js';
import { PLANS, WINDOWS, type Plan, type WindowLimits } from '../auth/plan.js';
import { encodeId } from '../identifiers/identifiers.js';
import { limitsOf } from '../rate-limit/plan-limits.js';
import { parseLimit } from './arguments.js';
import { print, printJson, printTable } from './output.js';
import type { WithServices } from './services.js';

export function addAccountsCommands(program: Command, withServices: WithServices): void {
  const command = program.command('accounts').description('accounts and their plans');
  command
    .command('list')
    .description('list all accounts')
    .option('--json', 'print one line of JSON')
    .action((options: { json?: true }) => listAccounts(withServices, options));
  command
    .command('plan')
    .description('put an account on a plan, from its next request on')
    .argument('<account>', 'acct_…')
    .addArgument(new Argument('<plan>').choices(PLANS))
    .option('--minute <n>', 'enterprise only: requests per minute (default: unlimited)', parseLimit)
    .option('--hour <n>', 'enterprise only: requests per hour (default: unlimited)', parseLimit)
    .option('--day <n>', 'enterprise only: requests per day (default: unlimited)', parseLimit)
    .action((id: string, plan: Plan, limits: Partial<WindowLimits>) =>
      setPlan(withServices, id, plan, limits),
    );
}

async function listAccounts(withServices: WithServices, { json }: { json?: true }): Promise<void> {
  const accounts = await withServices((services) => services.accounts.list());
  if (json) {
    printJson(accounts.map(present));
    return;
  }
  printTable(
    ['ID', 'NAME', 'OWNER', 'PLAN', 'LIMITS', 'CREATED'],
    accounts.map(({ id, name, owner, plan, customLimits, createdAt }) => [
      encodeId('account', id),
      name,
      owner.email,
      plan,
      describe(limitsOf(plan, customLimits)),
      createdAt.toISOString(),
    ]),
  );
}

async function setPlan(
  withServices: WithServices,
  id: string,
  plan: Plan,
  limits: Partial<WindowLimits>,
): Promise<void> {
  const { customLimits } = await withServices(({ plans }) => plans.set(id, plan, limits));
  print(`${id} is on the plan ${plan}: ${describe(limitsOf(plan, customLimits))}.`);
}

function present({ id, name, plan, customLimits, createdAt, owner }: Account) {
  return {
    id: encodeId('account', id),
    name,
    plan,
    limits: limitsOf(plan, customLimits),
    owner: { id: encodeId('user', owner.id), name: owner.name, email: owner.email },
    createdAt: createdAt.toISOString(),
  };
}

/** `300 a minute, 5000 an hour, unlimited a day` */
function describe(limits: WindowLimits): string {
  return WINDOWS.map((window) => {
    const article = window === 'hour' ? 'an' : 'a';
    return `${String(limits[window] ?? 'unlimited')} ${article} ${window}`;
  }).join(', ');
}
