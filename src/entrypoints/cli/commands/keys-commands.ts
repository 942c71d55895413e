import { currentTime } from '../../../platform/basics/clock/current-time.js';
import { Option, type Command } from 'commander';
import type { Account } from '../../../features/auth/accounts/account.js';
import { localPart, normalizeEmail } from '../../../features/auth/accounts/email-address.js';
import { systemContext } from '../../../features/auth/request-context.js';
import { DEFAULT_GRACE_SECONDS } from '../../../features/keys/key-fields.js';
import type { KeyRecord } from '../../../features/keys/keys.repository.js';
import { presentKey, presentRotatedKey } from '../../../features/keys/key.presenter.js';
import { PLANS, type Plan, type WindowLimits } from '../../../features/auth/plan.js';
import { LIMITABLE_SCOPES, type Scope } from '../../../features/auth/scopes.js';
import {
  AppError,
  invalidFields,
  OperatorError,
} from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { parseExpiry, parseGrace, parseLimit, parseScopes, VOUCH } from '../arguments.js';
import { print, printTable, remark, show } from '../output.js';
import { withServices, type Services } from '../services.js';

/** Same limit as in the API. */
const MAX_NAME_CHARACTERS = 100;

interface CreateOptions extends Partial<WindowLimits> {
  email?: string;
  account?: string;
  name?: string;
  keyName: string;
  plan?: Plan;
  scopes?: Scope[];
  collection?: string[];
  expires?: () => Date;
  serviceAccount?: string;
  vouch?: boolean;
}

const SERVICE_ACCOUNT = [
  '--service-account <id>',
  'service account (user_…) of the account that owns the new key, so that it outlives people',
] as const;

export function define(command: Command): void {
  command
    .command('create')
    .description('create a key, and a user and account if the e-mail address is new')
    .option('--email <address>', 'owner of the key; uses the oldest account that this user owns')
    .addOption(
      new Option(
        '--account <id>',
        'account (acct_…) whose owner gets the key, instead of --email',
      ).conflicts(['email', 'name', 'plan']),
    )
    .option(
      '--name <name>',
      'name of a new user (default: the part of the e-mail address before the @)',
    )
    .option('--key-name <name>', 'name of the key', 'API key')
    .addOption(
      new Option('--plan <plan>', 'plan of a new account (default: "free")').choices(PLANS),
    )
    .option(
      '--scopes <a,b>',
      'scopes of the key; * for all (default: all, with --collection those that such a key can have)',
      parseScopes,
    )
    .addOption(
      new Option(
        '--collection <id...>',
        'collections (col_…) that the key can use, with all below them; needs --account (default: all)',
      ).conflicts(['email', 'name', 'plan']),
    )
    .option(
      '--expires <when>',
      'a time (2027-01-31T00:00:00Z) or a duration (30d); default: never',
      parseExpiry,
    )
    .option('--minute <n>', 'requests of the key per minute (default: no limit)', parseLimit)
    .option('--hour <n>', 'requests of the key per hour (default: no limit)', parseLimit)
    .option('--day <n>', 'requests of the key per day (default: no limit)', parseLimit)
    .option(...SERVICE_ACCOUNT)
    .option(...VOUCH)
    .action(createKey);
  command
    .command('list')
    .description('list all keys, including revoked and expired ones')
    .option('--account <id>', 'only keys of this account (acct_…)')
    .action(listKeys);
  command
    .command('revoke')
    .description('revoke a key immediately, on every replica')
    .argument('<id>', 'key_…')
    .action(revokeKey);
  command
    .command('rotate')
    .description('replace a key with a new one that has the same scopes and limits')
    .argument('<id>', 'key_…')
    .option(
      '--grace <duration>',
      'how long the old key stays valid: seconds, or a duration such as 24h; 0 revokes it immediately',
      parseGrace,
      DEFAULT_GRACE_SECONDS,
    )
    .option(...SERVICE_ACCOUNT)
    .action(rotateKey);
}

async function createKey(options: CreateOptions): Promise<void> {
  const name = keyName(options.keyName);
  if (options.email === undefined && options.account === undefined) {
    throw new OperatorError(
      'Set the owner of the key: --email with an e-mail address, or --account with acct_….',
    );
  }
  await withServices(async (services) => {
    const account = await accountFor(services, options);
    const { collection: collections, expires, minute, hour, day } = options;
    const { scopes = collections ? LIMITABLE_SCOPES : ['*' as const] } = options;
    const limits = { minute, hour, day };
    const { key, record } = await services.keys.create(
      {
        name,
        scopes,
        expiresAt: expires?.() ?? null,
        limits,
        collections,
        serviceAccountId: options.serviceAccount,
      },
      systemContext('operator', account.id, account.owner),
    );
    const { keyId, accountId } = idsOf(record);
    show({ key, ...idsOf(record) }, () => {
      print(
        `Created ${keyId} for ${ownerOf(record)}, account ${accountId} on the plan ${account.plan}. The key is shown only once:`,
      );
      print(key);
    });
  });
}

async function accountFor(
  { accounts, operator, unverified }: Services,
  options: CreateOptions,
): Promise<Account> {
  if (options.account !== undefined) {
    const account = await operator.find(options.account);
    if (!(await unverified.isVerified(account.owner.email))) throw ownerIsUnverified(account);
    return account;
  }
  const email = normalizeEmail(options.email ?? '');
  await unverified.require(email, options.vouch === true);
  const person = { email, name: options.name ?? localPart(email), plan: options.plan ?? 'free' };
  const { account, created } = await accounts.findOrCreateByEmail(person);
  // Someone may have signed up with the address in the meantime.
  await unverified.require(account.owner.email, false);
  if (!created) requireSamePlan(account, options.plan);
  if (!created && options.name !== undefined && options.name !== account.owner.name) {
    remark(`${email} already has the name ${account.owner.name}; it was not changed.`);
  }
  return account;
}

/** Returns the name of the key. Called before anything is created, so that a refused key leaves no account behind. */
function keyName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_NAME_CHARACTERS) return name;
  const issue = `must have 1 to ${String(MAX_NAME_CHARACTERS)} characters`;
  throw invalidFields([{ field: 'keyName', issue }]);
}

/** Vouching gives the address a new user, so it cannot help with an account that the unverified user has set up. */
function ownerIsUnverified({ id, owner: { email } }: Account): AppError {
  return new AppError(
    'conflict',
    `The owner ${email} of ${encodeId('account', id)} is unverified: the person who signed up may not own the address, and may see what the key writes, so nothing was changed. ` +
      `To create a key in a new account of the owner of the address, run: npm run -s cli -- keys create --email ${email} --vouch`,
  );
}

function requireSamePlan(account: Account, plan: Plan | undefined): void {
  if (plan === undefined || plan === account.plan) return;
  const id = encodeId('account', account.id);
  throw new AppError(
    'conflict',
    `${account.owner.email} already has an account on the plan ${account.plan}; no key was created. ` +
      `Omit --plan, or change the plan first: npm run -s cli -- accounts plan ${id} ${plan}`,
  );
}

async function listKeys({ account }: { account?: string }): Promise<void> {
  const records = await withServices(async ({ inventory, operator }) => {
    const all = await inventory.listForOperator();
    if (account === undefined) return all;
    const { id } = await operator.find(account);
    return all.filter(({ accountId }) => accountId === id);
  });
  const shown = records.map((record) => ({
    ...presentKey(record),
    accountId: idsOf(record).accountId,
  }));
  show(shown, () => {
    printTable(
      ['ID', 'NAME', 'KEY', 'OWNER', 'ACCOUNT', 'SCOPES', 'STATE'],
      records.map((record) => {
        const { keyId, accountId } = idsOf(record);
        const { name, lastFour, scopes } = record;
        const key = `…${lastFour}`;
        return [keyId, name, key, ownerOf(record), accountId, scopes.join(','), stateOf(record)];
      }),
    );
  });
}

async function revokeKey(id: string): Promise<void> {
  await withServices(async ({ inventory, keys }) => {
    const { accountId, createdBy } = await inventory.find(id);
    await keys.revoke(id, systemContext('operator', accountId, createdBy));
  });
  show({ keyId: id, revoked: true }, () => {
    print(`${id} is revoked.`);
  });
}

async function rotateKey(
  id: string,
  { grace, serviceAccount }: { grace: number; serviceAccount?: string },
): Promise<void> {
  const rotated = await withServices(async ({ inventory, keys }) => {
    const { accountId, createdBy } = await inventory.find(id);
    // The operator acts for the key's user, who remains its creator.
    return keys.rotate(
      id,
      { graceSeconds: grace, serviceAccountId: serviceAccount },
      systemContext('operator', accountId, createdBy),
    );
  });
  const { key, replaces } = presentRotatedKey(rotated);
  const { keyId } = idsOf(rotated.record);
  const end =
    replaces.revokedAt === null ? `expires at ${String(replaces.expiresAt)}` : 'is revoked';
  show({ key, ...idsOf(rotated.record), replaces }, () => {
    print(`${keyId} replaces ${id}, which ${end}. The new key is shown only once:`);
    print(key);
  });
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

/** Returns the address of a person, or the name of a service account, which has no address to write to. */
function ownerOf({ createdBy: { kind, name, email } }: KeyRecord): string {
  return kind === 'service' ? `${name} (service account)` : email;
}

function stateOf({ revokedAt, expiresAt }: KeyRecord): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  if (!expiresAt) return 'valid';
  return `${expiresAt.getTime() <= currentTime() ? 'expired' : 'valid until'} ${expiresAt.toISOString()}`;
}
