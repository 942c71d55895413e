import { Option, type Command } from 'commander';
import type { Account } from '../auth/accounts/account.js';
import { localPart, normaliseEmail } from '../auth/accounts/email-address.js';
import { systemContext } from '../auth/request-context.js';
import { DEFAULT_GRACE_SECONDS } from '../keys/key-fields.js';
import type { KeyRecord } from '../keys/key-record.js';
import { presentKey, presentRotatedKey } from '../keys/key.presenter.js';
import { PLANS, type Plan } from '../auth/plan.js';
import type { Scope } from '../auth/scopes.js';
import { AppError } from '../errors/app-error.js';
import { encodeId } from '../identifiers/identifiers.js';
import { parseExpiry, parseGrace, parseScopes } from './arguments.js';
import { print, printJson, printTable, remark } from './output.js';
import type { WithServices } from './services.js';

interface CreateOptions {
  email: string;
  name?: string;
  keyName: string;
  plan?: Plan;
  scopes: Scope[];
  expires?: Date;
  json?: true;
}

export function addKeysCommands(program: Command, withServices: WithServices): void {
  const command = program.command('keys').description('API keys of all accounts');
  command
    .command('create')
    .description('make a key; user and account are made when the e-mail is new')
    .requiredOption('--email <address>', 'whose key it is')
    .option('--name <name>', 'name of a new user (default: the e-mail up to the @)')
    .option('--key-name <name>', 'name of the key', 'API key')
    .addOption(
      new Option('--plan <plan>', 'plan of a new account (default: "free")').choices(PLANS),
    )
    .option('--scopes <a,b>', 'what the key may do, * for everything', parseScopes, ['*'])
    .option(
      '--expires <when>',
      'a time (2027-01-31T00:00:00Z) or a duration (30d); default: never',
      parseExpiry,
    )
    .option('--json', 'print one line of JSON')
    .action((options: CreateOptions) => createKey(withServices, options));
  command
    .command('list')
    .description('list all keys, revoked and expired ones too')
    .option('--json', 'print one line of JSON')
    .action((options: { json?: true }) => listKeys(withServices, options));
  command
    .command('revoke')
    .description('end a key at once, on every replica')
    .argument('<id>', 'key_…')
    .action((id: string) => revokeKey(withServices, id));
  command
    .command('rotate')
    .description('replace a key by a new one with the same rights')
    .argument('<id>', 'key_…')
    .option(
      '--grace <duration>',
      'how long the old key stays valid, in seconds or like 24h; 0 ends it at once',
      parseGrace,
      DEFAULT_GRACE_SECONDS,
    )
    .option('--json', 'print one line of JSON')
    .action((id: string, options: { grace: number; json?: true }) =>
      rotateKey(withServices, id, options),
    );
}

async function createKey(withServices: WithServices, options: CreateOptions): Promise<void> {
  const email = normaliseEmail(options.email);
  await withServices(async ({ accounts, keys }) => {
    const person = { email, name: options.name ?? localPart(email), plan: options.plan ?? 'free' };
    const { account, created } = await accounts.findOrCreateByEmail(person);
    if (!created) requireSamePlan(account, options.plan);
    if (!created && options.name !== undefined && options.name !== account.owner.name) {
      remark(`${email} is known as ${account.owner.name} and keeps that name.`);
    }
    const { key, record } = await keys.create(
      { name: options.keyName, scopes: options.scopes, expiresAt: options.expires ?? null },
      systemContext('operator', account.id, account.owner),
    );
    if (options.json) {
      printJson({ key, ...idsOf(record) });
      return;
    }
    const { keyId, accountId } = idsOf(record);
    print(
      `${keyId} of ${email}, account ${accountId} on the plan ${account.plan}. The key is shown this once:`,
    );
    print(key);
  });
}

function requireSamePlan(account: Account, plan: Plan | undefined): void {
  if (plan === undefined || plan === account.plan) return;
  const id = encodeId('account', account.id);
  throw new AppError(
    'conflict',
    `${account.owner.email} has an account on the plan ${account.plan}, and no key was made. ` +
      `Leave out --plan, or change the account first: npm run -s cli -- accounts plan ${id} ${plan}`,
  );
}

async function listKeys(withServices: WithServices, { json }: { json?: true }): Promise<void> {
  const records = await withServices(({ inventory }) => inventory.list());
  if (json) {
    printJson(
      records.map((record) => ({ ...presentKey(record), accountId: idsOf(record).accountId })),
    );
    return;
  }
  printTable(
    ['ID', 'NAME', 'KEY', 'OWNER', 'ACCOUNT', 'SCOPES', 'STATE'],
    records.map((record) => {
      const { keyId, accountId } = idsOf(record);
      const { name, lastFour, createdBy, scopes } = record;
      return [
        keyId,
        name,
        `…${lastFour}`,
        createdBy.email,
        accountId,
        scopes.join(','),
        stateOf(record),
      ];
    }),
  );
}

async function revokeKey(withServices: WithServices, id: string): Promise<void> {
  await withServices(async ({ inventory, keys }) => {
    const { accountId, createdBy } = await inventory.find(id);
    await keys.revoke(id, systemContext('operator', accountId, createdBy));
  });
  print(`${id} is revoked.`);
}

async function rotateKey(
  withServices: WithServices,
  id: string,
  { grace, json }: { grace: number; json?: true },
): Promise<void> {
  const rotated = await withServices(async ({ inventory, keys }) => {
    const { accountId, createdBy } = await inventory.find(id);
    // The operator acts for the key's user, who stays the creator of what is made with it.
    return keys.rotate(id, grace, systemContext('operator', accountId, createdBy));
  });
  const { key, replaces } = presentRotatedKey(rotated);
  if (json) {
    printJson({ key, ...idsOf(rotated.record), replaces });
    return;
  }
  const { keyId } = idsOf(rotated.record);
  const end = replaces.revokedAt === null ? `ends at ${String(replaces.expiresAt)}` : 'is revoked';
  print(`${keyId} replaces ${id}, which ${end}. The new key is shown this once:`);
  print(key);
}

function idsOf({ id, accountId, createdBy }: KeyRecord): {
  keyId: string;
  accountId: string;
  userId: string;
} {
  return {
    keyId: encodeId('key', id),
    accountId: encodeId('account', accountId),
    userId: encodeId('user', createdBy.id),
  };
}

function stateOf({ revokedAt, expiresAt }: KeyRecord): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  if (!expiresAt) return 'valid';
  return `${expiresAt <= new Date() ? 'expired' : 'valid until'} ${expiresAt.toISOString()}`;
}
